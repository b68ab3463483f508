export { applyEventToActivity } from "./activity/apply-event-to-activity.ts";
export { type ActivityParts, toTaskActivity } from "./activity/task-activity.ts";
export { noTotals } from "./activity/totals.ts";
export { waitingSince } from "./activity/waiting-since.ts";
export { createConcurrencyLimit } from "./async/concurrency-limit.ts";
export { formatEnglish, formatText } from "./coded-texts/format-text.ts";
export { budgetScopes, toAmount } from "./coded-texts/limit-phrases.ts";
export { ServiceError } from "./coded-texts/service-error.ts";
export { createTextFormatter, type FormatText, type TextFormats } from "./coded-texts/text-formats.ts";
export { keepNewest } from "./collections/keep-newest.ts";
export { RecentMap } from "./collections/recent-map.ts";
export { askOnce } from "./compression/ask-once.ts";
export type { CompressionOutcome } from "./compression/compression-outcome.ts";
export { type CompressionPolicy, defaultCompressionSettings } from "./compression/compression-settings.ts";
export type { CompressionStore } from "./compression/compression-store.ts";
export { createCompressionService } from "./compression/create-compression-service.ts";
export { foreseeCompression } from "./compression/foresee-compression.ts";
export { applyPruning, type Pruning } from "./compression/pruning.ts";
export { renderTranscript } from "./compression/render-transcript.ts";
export { applyDeliveries } from "./conversation/apply-deliveries.ts";
export { applyOlderPage, applyPage, keepNewestMessages } from "./conversation/apply-page.ts";
export { type ConversationView, createConversationView, createEmptyState } from "./conversation/conversation-view.ts";
export { projectMessage, projectMessages, toCardId } from "./conversation/project-messages.ts";
export { ShownMessages } from "./conversation/shown-messages.ts";
export { countRanges, listAfterFork, listInheritedRanges, sliceRanges } from "./history/history-ranges.ts";
export { listHistoryEnds, streamHistory } from "./history/list-history.ts";
export { moveMessagePaths } from "./history/move-message-paths.ts";
export { createPathMover } from "./history/path-mover.ts";
export { readSlices } from "./history/read-slices.ts";
export { canBeShown, findImageProblem, imageLimits } from "./images/image-limits.ts";
export { isImagePath } from "./images/is-image-path.ts";
export { type ImageHeader, readImageHeader } from "./images/read-image-header.ts";
export type {
  AgentAdapter,
  AgentCapabilities,
  AgentDecoder,
  AgentHomeEntry,
  AgentLaunch,
  ApprovalAnswer,
  DriverLaunch,
  HistoryMessage,
  LaunchContext,
  LaunchSandbox,
  LogLine,
  PreviewContext,
  PrinterLaunch,
  ProgramLaunch,
  SessionListResult,
  SessionPoint,
} from "./ports/agent.ts";
export { AgentUnusableError } from "./ports/agent.ts";
export type { AgentProgram } from "./ports/agent-program.ts";
export type {
  AutomationId,
  AutomationReader,
  AutomationTransaction,
  StoredAutomation,
  StoredAutomationRun,
} from "./ports/automation-storage.ts";
export type {
  BudgetReader,
  BudgetTransaction,
  SpendingQuery,
  SpendingSum,
  StoredBudget,
} from "./ports/budget-storage.ts";
export {
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelErrorPart,
  type ModelEvent,
  type ModelRequest,
  type ToolDefinition,
} from "./ports/model.ts";
export type { StorageNodes, StoredNode } from "./ports/nodes.ts";
export {
  type IngestPosition,
  type Occupant,
  type Storage,
  StorageConstraintError,
  type StorageDamage,
  type StorageReader,
  type StorageTransaction,
  type TaskPlace,
} from "./ports/storage.ts";
export type { StoredUser, TeamReader, TeamTransaction } from "./ports/team-storage.ts";
export { toWritableJson } from "./processing/bounded-json.ts";
export { createMessageProcessor } from "./processing/create-message-processor.ts";
export type { MessageDraft, ProcessedStep } from "./processing/message-processor.ts";
export { mergeEntries, type SnapshotEntry } from "./processing/processor-state.ts";
export { isGoing, type Racer, type Ranking, rankAttempts } from "./race/rank-attempts.ts";
export { createSecretFinder, type KnownSecret, type SecretFinder, type SecretMatch } from "./redaction/find-secrets.ts";
export { mergeMatches, replaceInLines, replaceMatches } from "./redaction/redact-text.ts";
export { applyCompression, isSummaryMessage, type RequestMessage } from "./request/apply-compression.ts";
export { dropInvalidMessages } from "./request/drop-invalid-messages.ts";
export { fixToolPairs } from "./request/fix-tool-pairs.ts";
export { insertSystemPrompts } from "./request/insert-system-prompts.ts";
export type { PairRepair } from "./request/pair-repair.ts";
export { type RequestLogger, RequestMessageBuilder, type RequestStep } from "./request/request-message-builder.ts";
export { RequestValidationError } from "./request/request-validation-error.ts";
export { type MessageChange, traceRequest } from "./request/trace-request.ts";
export { validateMessages } from "./request/validate-messages.ts";
export { commitMessageInstructions, formatCommitQuestion, toCommitMessage } from "./review/commit-message.ts";
export {
  type Editor,
  type EditorPlace,
  editorNames,
  editors,
  fillEditorAddress,
  fillEditorCommand,
  isEditorAddress,
  toEditorCommand,
  toEditorLink,
} from "./review/editor-link.ts";
export { listFeedbackForUser, toFeedbackItem } from "./review/feedback-item.ts";
export { formatReview } from "./review/format-review.ts";
export { locateComment, quoteLines, type ReviewedFile } from "./review/locate-comment.ts";
export { chooseGitStep, type GitStep } from "./review/next-git-step.ts";
export { type HookedOperation, isHookOf } from "./review/operation-hooks.ts";
export { isLoopback, parseRemoteUrl } from "./review/parse-remote-url.ts";
export { toPullRequestBadge } from "./review/pull-request-badge.ts";
export { formatFeedback, listUnsent } from "./review/pull-request-feedback.ts";
export { describeCron } from "./schedules/describe-cron.ts";
export { formatToolSummary } from "./summaries/format-tool-summary.ts";
export { toTaskPrompt } from "./tasks/task-prompt.ts";
export { toTaskTitle } from "./tasks/task-title.ts";
export { fillTemplate, listVariables } from "./templates/fill-template.ts";
export { type CutRevealed, cutRevealed, type RevealLimits } from "./text/cut-revealed.ts";
export { fence } from "./text/fence.ts";
export { revealInvisible } from "./text/reveal-invisible.ts";
export { countHidden, type RevealedPart, revealText } from "./text/reveal-text.ts";
export { toSlug } from "./text/slug.ts";
export { removeTerminalAnswers } from "./text/terminal-answers.ts";
export { keepEnd, keepStart, splitsPair, takeEnd, takeStart, toOneLine, truncateCodePoints } from "./text/truncate.ts";
export { addUsage } from "./tokens/add-usage.ts";
export { estimateMessageTokens } from "./tokens/count-body.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
export { createTokenCounter, type TokenCounter } from "./tokens/token-counter.ts";
export { findPlan } from "./tools/find-plan.ts";
export {
  arrayField,
  asObject,
  booleanField,
  countField,
  numberField,
  objectField,
  stringField,
  stringsField,
} from "./tools/json-fields.ts";
export { parsePresentation } from "./tools/parse-presentation.ts";
export { parseUnifiedPatch } from "./tools/parse-unified-patch.ts";
export { isShippedToolName, shippedToolProcessors } from "./tools/shipped-tool-processors.ts";
export type { PresentedTool, ToolObservation, ToolProcessor } from "./tools/tool-processor.ts";
export { createToolRegistry, type PresentTool, presentTool } from "./tools/tool-registry.ts";
export { formatMessages, handleMessage } from "./ui-messages/format-messages.ts";
export { emptyUIConversation, type UIConversation, type UIMessage, type UIPart, type UIToolPart } from "./ui-messages/ui-message.ts";
