export { acceptedBodySchema } from "./accepted-message.ts";
export {
  type AttemptSummary,
  attemptSummarySchema,
  type LastEnd,
  lastEndSchema,
  type OpenAttempt,
  openAttemptSchema,
  type TaskActivity,
  type TaskSummary,
  type Totals,
  taskSummarySchema,
  totalsSchema,
} from "./activity.ts";
export {
  type AddedAgent,
  type AgentId,
  type AgentInfo,
  agentIdSchema,
  agentInfoSchema,
  type ClientCapabilities,
  type ModelInfo,
  modelIdSchema,
  type PermissionControl,
  type PermissionMode,
  type PlanSupport,
  permissionModeSchema,
  type ReasoningEffort,
  reasoningEffortSchema,
  type SystemPromptSupport,
  type WorkingMode,
  workingModeSchema,
} from "./agent.ts";
export {
  type AddAgent,
  type AgentCatalogue,
  type AgentSource,
  addAgentSchema,
  agentCatalogueSchema,
  type CatalogueEntry,
  catalogueIdSchema,
  type UpdateAgent,
  updateAgentSchema,
} from "./agent-catalogue.ts";
export { type AgentOutput, agentOutputSchema } from "./agent-output.ts";
export { type AgentSession, type AgentSessionList, agentSessionListSchema } from "./agent-session.ts";
export {
  type Approval,
  type ApprovalAnswers,
  type ApprovalDecision,
  type ApprovalTampering,
  approvalAnswersSchema,
  approvalDecisionSchema,
  approvalSchema,
  type PlanApproval,
  planApprovalSchema,
} from "./approval.ts";
export { type Attempt, attemptSchema, type ForkPoint, type Isolation } from "./attempt.ts";
export type { AgentHint, VersionProblem } from "./coded-texts/agent-hint.ts";
export type { ApprovalWarning } from "./coded-texts/approval-warning.ts";
export { type CodedText, codedTextSchema, type MessageText, messageTextSchema } from "./coded-texts/coded-text.ts";
export type { GitObstacleText, GitText } from "./coded-texts/git-text.ts";
export { type IssueText, toIssueText } from "./coded-texts/issue-text.ts";
export type {
  CompressionFailure,
  LeftOut,
  ModelFailureText,
  NoticeText,
} from "./coded-texts/notice-text.ts";
export type { ConfigProblem, ProblemText } from "./coded-texts/problem-text.ts";
export type { FileProblem, LoadedFilesProblem, McpProblem, RepositoryText } from "./coded-texts/repository-text.ts";
export { type Command, type CommandResult, commandResultSchema, commandSchema } from "./command.ts";
export {
  type ChangedElsewhere,
  type ConversationMessage,
  conversationMessageSchema,
  type MergeMode,
  mergeModeSchema,
  type ToolExecution,
  type ToolExecutionMessage,
} from "./conversation-message.ts";
export type { ConversationState } from "./conversation-state.ts";
export { createId } from "./create-id.ts";
export { type CleanupOutcome, type DeletionResult, deletionQuerySchema, deletionResultSchema } from "./deletion.ts";
export {
  type Delivery,
  eventSchema,
  type MessageGrowth,
  type MessageReference,
  messageAddedSchema,
  messageGrowthSchema,
  messageReferenceSchema,
  type SequencedEvent,
  type SkeinEvent,
  sequenceSchema,
} from "./event.ts";
export {
  type EndedExecution,
  type Execution,
  type ExecutionEndCode,
  type ExecutionEndStatus,
  executionEndCodeSchema,
  executionSchema,
  type RunningExecution,
} from "./execution.ts";
export type { DiffHunk, FileDiff, ToolDiff } from "./file-diff.ts";
export { type BranchList, branchListSchema, type FolderMatches, folderMatchesSchema, type ListedFolder } from "./folder.ts";
export {
  type CommitRequest,
  type Committed,
  type ConflictSideKind,
  type ConflictSides,
  commitSchema,
  committedSchema,
  conflictSidesSchema,
  type DiscardRequest,
  discardSchema,
  type FileSelection,
  type GitConflict,
  type GitObstacle,
  type GitOperationName,
  type GitState,
  gitConflictSchema,
  gitStateSchema,
  type HooksRun,
  type Landing,
  type LandRequest,
  landingSchema,
  landRequestSchema,
  type Pushed,
  type PushRequest,
  pushedSchema,
  pushRequestSchema,
  type ResolveConflict,
  type Restored,
  type RestoreRequest,
  resolveConflictSchema,
  restoredSchema,
  restoreSchema,
  type SafetyRef,
  safetyRefSchema,
  type UpdateAttemptBase,
  type UpdatedAttemptBase,
  updateAttemptBaseSchema,
  updatedAttemptBaseSchema,
} from "./git-state.ts";
export {
  type HistoryEntry,
  type HistoryPage,
  type HistorySummary,
  historyMessageSchema,
  historyPageSchema,
  type TokenFigure,
} from "./history.ts";
export {
  type ActiveCompression,
  type AgentList,
  type AnswerApproval,
  type AttemptDiff,
  activeCompressionSchema,
  agentListSchema,
  answerApprovalSchema,
  attemptDiffSchema,
  type ChangedFile,
  type ConversationPage,
  type CreateAttempt,
  type CreateProject,
  type CreateSession,
  type CreateTask,
  conversationPageSchema,
  createAttemptSchema,
  createLaunchCodeSchema,
  createProjectSchema,
  createSessionSchema,
  createTaskSchema,
  type DiffStat,
  diffStatSchema,
  type ExcludedFiles,
  type FileMode,
  type FoundIds,
  type FoundMessages,
  fileModeSchema,
  foundIdsSchema,
  foundMessagesSchema,
  type Health,
  healthSchema,
  type LaunchCode,
  type Logout,
  launchCodeSchema,
  logoutSchema,
  moveQueuedMessageSchema,
  type SearchHit,
  type Session,
  searchHitSchema,
  searchResultSchema,
  sessionSchema,
  type UpdateAttempt,
  type UpdateProject,
  type UpdateTask,
  type UpdateTasks,
  updateAttemptSchema,
  updateProjectSchema,
  updateQueuedMessageSchema,
  updateTaskSchema,
  updateTasksSchema,
} from "./http.ts";
export {
  type ApprovalId,
  type AttemptId,
  approvalIdSchema,
  attemptIdSchema,
  type CommentId,
  commentIdSchema,
  type ExecutionId,
  executionIdSchema,
  type GrantId,
  grantIdSchema,
  type MessageId,
  messageIdSchema,
  type ProjectId,
  projectIdSchema,
  type QueuedMessageId,
  queuedMessageIdSchema,
  type SummaryId,
  type TaskId,
  taskIdSchema,
} from "./ids.ts";
export { type InboxItem, inboxItemSchema, type UpdateInboxItem, updateInboxItemSchema } from "./inbox.ts";
export { type JsonValue, jsonValueSchema, timestampSchema } from "./json.ts";
export {
  type McpServerDefinition,
  type McpServerInfo,
  type McpServerList,
  type McpToolHashes,
  mcpServerDefinitionSchema,
  mcpServerHashSchema,
  mcpServerInfoSchema,
  mcpServerListSchema,
  mcpServerNameSchema,
  mcpToolHashesSchema,
  type TrustMcpServer,
  trustMcpServerSchema,
  type UsableMcpServer,
  usableMcpServerSchema,
} from "./mcp.ts";
export {
  type AssistantMessage,
  type ImagePart,
  imagePartSchema,
  type MessageBody,
  type MessageEntity,
  messageBodySchema,
  type ReasoningPart,
  type Segment,
  type TextPart,
  type ToolCall,
  type ToolMessage,
  type ToolResultPart,
  type UserMessage,
} from "./message.ts";
export {
  type AgentTranscript,
  type BuiltRequest,
  type CompressionForecast,
  type DescribedRequest,
  type NextRequest,
  nextRequestSchema,
  type RequestPart,
  type RequestPreview,
  type RequestProvider,
  requestPreviewSchema,
  requestProviderSchema,
} from "./next-request.ts";
export { type Overview, overviewSchema, type TaskOverview, taskOverviewSchema } from "./overview.ts";
export {
  type ListedGrant,
  listedGrantSchema,
  type PermissionGrant,
  permissionGrantSchema,
  type StoredGrant,
  storedGrantSchema,
} from "./permission-grant.ts";
export { type Problem, problemSchema } from "./problem.ts";
export { type Project, projectSchema } from "./project.ts";
export {
  type ExecutionOrigin,
  executionOriginSchema,
  type QuarantineEntry,
  quarantineListSchema,
  type RecoveredExecution,
  recoveredExecutionSchema,
} from "./quarantine.ts";
export {
  type QueuedMessage,
  type QueuePause,
  type QueueState,
  queuedMessageSchema,
  queuePauseSchema,
  queueStateSchema,
} from "./queued-message.ts";
export {
  type AgentSettings,
  agentSettingsSchema,
  contentHashSchema,
  type GitHooks,
  type GitLfs,
  gitHooksSchema,
  gitLfsSchema,
  type ProjectScripts,
  type ProjectScriptsFile,
  projectScriptsFileSchema,
  projectScriptsSchema,
  type TrustChange,
  type TrustContent,
  type TrustedFileChange,
  type TrustPlace,
  type TrustState,
  trustChangeSchema,
  trustContentSchema,
  trustPlaceSchema,
} from "./repository-trust.ts";
export {
  type CommentState,
  createCommentSchema,
  type Review,
  type ReviewComment,
  reviewCommentSchema,
  reviewSchema,
  type SetViewed,
  type StoredComment,
  sendReviewSchema,
  setViewedSchema,
  storedCommentSchema,
  type UpdateComment,
  updateCommentSchema,
  type ViewedFile,
} from "./review.ts";
export { sessionHeader } from "./session-header.ts";
export { isSessionId } from "./session-id.ts";
export type { SessionOptions } from "./session-options.ts";
export {
  type AttemptDefaults,
  attemptDefaultsSchema,
  type CompressionSettings,
  compressionSettingsSchema,
  type GeneralSettings,
  generalSettingsSchema,
  type ProviderKey,
  type ProviderName,
  providerKeySchema,
  providerNameSchema,
  type Settings,
  type StorageUse,
  setProviderKeySchema,
  settingsSchema,
  storageUseSchema,
  type UpdateAttemptDefaults,
  type UpdateGeneralSettings,
  type UsageQuery,
  type UsageReport,
  updateAttemptDefaultsSchema,
  updateGeneralSettingsSchema,
  usageReportSchema,
} from "./settings.ts";
export { type StartedTask, type StartTask, startedTaskSchema, startTaskSchema } from "./start-task.ts";
export { describeStorageFault, findStorageFault, type StorageFault, sqliteCodeOf } from "./storage-fault.ts";
export { type StoredMessage, storedMessageSchema } from "./stored-message.ts";
export {
  type Compression,
  type CompressionSummary,
  compressionSchema,
  type Pruning,
  pruningSchema,
  type Summary,
  summarySchema,
} from "./summary.ts";
export {
  longestDescription,
  type Task,
  type TaskPriority,
  type TaskStatus,
  taskFieldsSchema,
  taskSchema,
  taskStatusSchema,
} from "./task.ts";
export { type TodoItem, type ToolDetails, todoItemSchema, toolDetailsSchema } from "./tool-details.ts";
export { type ToolProcessorFile, type ToolProcessorList, toolProcessorListSchema } from "./tool-processor.ts";
export {
  type StoredToolSummary,
  type ToolAction,
  type ToolExecutionEndState,
  type ToolSummary,
  toolActionSchema,
  toolSummaryDraftSchema,
  toolSummarySchema,
} from "./tool-summary.ts";
export { type Usage, usageSchema } from "./usage.ts";
export {
  blobIdSchema,
  type FileContent,
  type FolderEntry,
  type FolderListing,
  fileContentSchema,
  fileMatchesSchema,
  folderListingSchema,
  type SlashCommand,
  slashCommandSchema,
  worktreePathSchema,
} from "./worktree-file.ts";
