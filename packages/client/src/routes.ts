// Written by `npm run spec` from the route table of the server. Do not edit.

/** Every route: its input and its response. Fields with defaults may be left out of inputs. */
export interface Routes {
  /** Get version, storage state and readiness */
  "GET /api/health": { response: Health };
  /** Find ids of tasks and attempts by prefix: `tsk_…`, `att_…` */
  "GET /api/ids": { query: { prefix: string; limit?: number | undefined }; response: FoundIds };
  /** Search tasks and conversations */
  "GET /api/search": { query: { q: string; limit?: number | undefined }; response: SearchResult };
  /** Get in one response what a client shows first: projects, pending approvals, the inbox, the first `tasks` of a project with short descriptions and activities, and, with `taskId`, that task as in `GET /api/tasks/:id/overview`. The project is that of the task, `projectId`, or the first. Continue with `GET /api/events?after=<lastSeq>` */
  "GET /api/overview": { query: { projectId?: ProjectId | undefined; taskId?: TaskId | undefined; tasks?: number | undefined; attemptId?: AttemptId | undefined; messages?: number | undefined; mergeMode?: MergeMode | undefined }; response: Overview };
  /** Stream events (server-sent events). `after` or Last-Event-ID replays missed events. A message is sent at once without an id, and again with its id when it is committed. With `repeats=short`, the second one is a `message:committed` with only the message's id and revision, and a growing text is sent as `message:grown`: the text to `append` to the revision `from`, and the message without its content. `mergeMode` selects how tools are shown: `live` cards, cards `on-complete`, or `off` for unmerged uses and results. The default is the setting */
  "GET /api/events": { query: { after?: number | undefined; taskId?: TaskId | undefined; repeats?: "whole" | "short" | undefined; mergeMode?: MergeMode | undefined }; response: Response };
  /** Create a single-use link that signs a browser in. With users: the address to sign in at, or, without any yet, a link to create the first */
  "POST /api/launch-codes": { body: CreateLaunchCode; response: LaunchCode };
  /** Sign this browser in with the code of a launch link. Sets a cookie and returns the secret to send with it */
  "POST /api/sessions": { body: CreateSession; response: Response };
  /** Sign out this browser, or all browsers */
  "POST /api/logout": { body: Logout; response: Response };
  /** Get the metrics of this server in Prometheus' text format, if they are on: see docs/telemetry.md */
  "GET /metrics": { response: Response };
  /** Get this API as an OpenAPI 3.1 document */
  "GET /api/openapi.json": { response: Response };
  /** List agents, with install hints for missing ones. `refresh` detects them again and reloads config.json */
  "GET /api/agents": { query: { refresh?: string | undefined }; response: AgentList };
  /** List agents that can be added, with their commands */
  "GET /api/agent-catalogue": { response: AgentCatalogue };
  /** Add an agent of the catalogue, or update it to the catalogue's version. `hash` identifies the entry that was shown */
  "POST /api/agents": { body: AddAgent; response: AgentInfo };
  /** Disable or enable an added agent */
  "PATCH /api/agents/:id": { params: { id: string }; body: UpdateAgent; response: AgentInfo };
  /** Remove an added agent from the settings. Its conversations are kept */
  "DELETE /api/agents/:id": { params: { id: string }; response: void };
  /** List the projects */
  "GET /api/projects": { response: (Project)[] };
  /** Add a git repository on this machine as a project */
  "POST /api/projects": { body: CreateProject; response: Project };
  /** Get a project */
  "GET /api/projects/:id": { params: { id: string }; response: Project };
  /** List the branches that an attempt can start from, most recent commit first */
  "GET /api/projects/:id/branches": { params: { id: string }; response: BranchList };
  /** List the agent's own sessions in the project's folder, newest first. Starts the agent's program */
  "GET /api/projects/:id/agent-sessions": { params: { id: string }; query: { agent: AgentId }; response: AgentSessionList };
  /** Change a project */
  "PATCH /api/projects/:id": { params: { id: string }; body: UpdateProject; response: Project };
  /** Remove a project and its tasks. The repository is not changed */
  "DELETE /api/projects/:id": { params: { id: string }; query: DeletionQuery; response: DeletionResult };
  /** List permanent permissions in a project */
  "GET /api/projects/:id/permission-rules": { params: { id: string }; response: (ListedGrant)[] };
  /** Revoke a permanent permission */
  "DELETE /api/permission-rules/:id": { params: { id: string }; response: void };
  /** List tasks by position. Archived tasks are included only on request. `limit` and `after` (`<position>,<createdAt>,<id>` of the last task of the previous page) select a page. `descriptions=short` truncates descriptions to 200 characters. `activity=short` omits the activity of idle tasks, and all usage except the cost */
  "GET /api/tasks": { query: { projectId?: ProjectId | undefined; status?: TaskStatus | undefined; archived?: "true" | "false" | "all" | undefined; after?: string | undefined; limit?: number | undefined; descriptions?: "short" | "whole" | undefined; activity?: "short" | "whole" | undefined }; response: (ListedTask)[] };
  /** Create a task */
  "POST /api/tasks": { body: CreateTask; response: Task };
  /** Change several tasks atomically */
  "PATCH /api/tasks": { body: UpdateTasks; response: (Task)[] };
  /** Get a task and its current activity */
  "GET /api/tasks/:id": { params: { id: string }; response: TaskSummary };
  /** Change a task */
  "PATCH /api/tasks/:id": { params: { id: string }; body: UpdateTask; response: Task };
  /** Delete a task and its attempts */
  "DELETE /api/tasks/:id": { params: { id: string }; query: DeletionQuery; response: DeletionResult };
  /** Get a task that is opened, in one response: the task, its attempts, the newest `messages` of the conversation of one attempt, by default the active one, and that attempt's executions */
  "GET /api/tasks/:id/overview": { params: { id: string }; query: { attemptId?: AttemptId | undefined; messages?: number | undefined; mergeMode?: MergeMode | undefined }; response: TaskOverview };
  /** Get a page of the conversation: the newest, the one `before` the client's oldest message, the one starting `from` its newest, or the one `around` a message. `mergeMode` selects how tools are shown; the default is the setting */
  "GET /api/tasks/:id/conversation": { params: { id: string }; query: { attemptId?: AttemptId | undefined; before?: string | undefined; from?: string | undefined; around?: string | undefined; limit?: number | undefined; mergeMode?: MergeMode | undefined }; response: ConversationPage };
  /** Get the active attempt's queued messages, and whether the queue is paused */
  "GET /api/tasks/:id/queue": { params: { id: string }; response: QueueState };
  /** List the attempts of a task */
  "GET /api/tasks/:id/attempts": { params: { id: string }; response: (AttemptSummary)[] };
  /** Create an attempt, which becomes the task's active one */
  "POST /api/tasks/:id/attempts": { params: { id: string }; body: CreateAttempt; response: Attempt };
  /** Get an attempt with its totals */
  "GET /api/attempts/:id": { params: { id: string }; response: AttemptSummary };
  /** Change the model or permission mode, effective from the next execution */
  "PATCH /api/attempts/:id": { params: { id: string }; body: UpdateAttempt; response: Attempt };
  /** Undo the last compression of the conversation */
  "POST /api/attempts/:id/undo-compression": { params: { id: string }; response: void };
  /** Get the summary that currently replaces older messages, if there is one */
  "GET /api/attempts/:id/compression": { params: { id: string }; response: ActiveCompression };
  /** Find a text in the conversation of an attempt, in conversation order */
  "GET /api/attempts/:id/find": { params: { id: string }; query: { q: string; limit?: number | undefined }; response: FoundMessages };
  /** Delete an attempt and its worktree */
  "DELETE /api/attempts/:id": { params: { id: string }; query: DeletionQuery; response: DeletionResult };
  /** Make an attempt the task's active one */
  "POST /api/attempts/:id/activate": { params: { id: string }; response: Attempt };
  /** Get the attempt's changes since its base commit */
  "GET /api/attempts/:id/diff": { params: { id: string }; response: AttemptDiff };
  /** Get the size of the attempt's changes since its base commit. `uncommitted=true` also counts uncommitted files */
  "GET /api/attempts/:id/diff-stat": { params: { id: string }; query: { uncommitted?: string | undefined }; response: DiffStat };
  /** List the executions of an attempt */
  "GET /api/attempts/:id/executions": { params: { id: string }; response: (Execution)[] };
  /** List the stored protocol messages (user, assistant, tool, system) in order: all, or `limit` messages after `after` */
  "GET /api/attempts/:id/messages": { params: { id: string }; query: { after?: MessageId | undefined; limit?: number | undefined }; response: (StoredMessage)[] };
  /** List the messages that requests are built from, in pages: inherited ones first, those of a running execution last */
  "GET /api/attempts/:id/history": { params: { id: string }; query: { offset?: number | undefined; limit?: number | undefined }; response: HistoryPage };
  /** Get a message of the history with full texts and images */
  "GET /api/attempts/:id/history/message": { params: { id: string }; query: { messageId: MessageId }; response: HistoryMessage };
  /** Preview the next request to the provider; for agents that build their own requests, the transcript */
  "GET /api/attempts/:id/request": { params: { id: string }; query: { provider?: RequestProvider | undefined; message?: string | undefined }; response: NextRequest };
  /** Download an attempt with its conversation. Secrets are redacted unless `redact` is false */
  "GET /api/attempts/:id/export": { params: { id: string }; query: { format?: ExportFormat | undefined; redact?: string | undefined }; response: Response };
  /** Download an attempt: its format, what is included, and what is redacted */
  "POST /api/attempts/:id/export": { params: { id: string }; body: ExportRequest; response: Response };
  /** List what an export would redact, with masked values. Changes nothing */
  "POST /api/attempts/:id/export/preview": { params: { id: string }; body: PreviewRedaction; response: RedactionPreview };
  /** Get the execution's changes since the end of the previous one */
  "GET /api/executions/:id/diff": { params: { id: string }; response: AttemptDiff };
  /** Download the full output of a tool that was too long to show */
  "GET /api/executions/:id/outputs/:name": { params: { id: string; name: string }; response: Response };
  /** Get the last run of the check script for an attempt, and whether files have changed since */
  "GET /api/attempts/:id/check": { params: { id: string }; response: AttemptCheck };
  /** Run the project's check script in the folder of an attempt */
  "POST /api/attempts/:id/check": { params: { id: string }; response: AttemptCheck };
  /** Stop the check of an attempt */
  "POST /api/attempts/:id/check/stop": { params: { id: string }; response: AttemptCheck };
  /** List the terminals of an attempt */
  "GET /api/attempts/:id/terminals": { params: { id: string }; response: TerminalList };
  /** Open a terminal in the folder of an attempt: the user's login shell. It keeps running until it is closed */
  "POST /api/attempts/:id/terminals": { params: { id: string }; body: TerminalSize; response: Terminal };
  /** Read the output of a terminal or of a dev server from an offset, as lines of JSON (`TerminalOutput`). Ends after half a minute; repeat it from the end of what was received */
  "GET /api/attempts/:id/terminals/:terminal/output": { params: { id: string; terminal: string }; query: { from?: number | undefined }; response: Response };
  /** Type into a terminal. What is sent is not repeated if its answer is lost */
  "POST /api/attempts/:id/terminals/:terminal/input": { params: { id: string; terminal: string }; body: TerminalInput; response: void };
  /** Change the size of a terminal */
  "POST /api/attempts/:id/terminals/:terminal/size": { params: { id: string; terminal: string }; body: TerminalSize; response: void };
  /** Close a terminal, with everything that was started in it */
  "DELETE /api/attempts/:id/terminals/:terminal": { params: { id: string; terminal: string }; response: void };
  /** Get the state of an attempt's dev server */
  "GET /api/attempts/:id/dev": { params: { id: string }; response: DevServer };
  /** Start the dev server of an attempt, or start it again: the project's trusted `dev` script, with `$SKEIN_PORT` */
  "POST /api/attempts/:id/dev": { params: { id: string }; response: DevServer };
  /** Stop the dev server of an attempt */
  "POST /api/attempts/:id/dev/stop": { params: { id: string }; response: DevServer };
  /** Get the review of an attempt: comments with their current lines, and files marked as viewed */
  "GET /api/attempts/:id/comments": { params: { id: string }; response: Review };
  /** Comment on lines, a file or the whole attempt; a draft until the review is sent */
  "POST /api/attempts/:id/comments": { params: { id: string }; body: CreateComment; response: ReviewComment };
  /** Change the text of a draft, or resolve a comment */
  "PATCH /api/comments/:id": { params: { id: string }; body: UpdateComment; response: ReviewComment };
  /** Delete a comment */
  "DELETE /api/comments/:id": { params: { id: string }; response: void };
  /** Send all drafts to the agent as one message */
  "POST /api/attempts/:id/review": { params: { id: string }; body: SendReview; response: CommandResult };
  /** Mark a file of the changes as viewed, as long as its content stays the same */
  "PUT /api/attempts/:id/viewed": { params: { id: string }; body: SetViewed; response: void };
  /** Get the state of the attempt's branch: base, commits ahead and behind, uncommitted files, conflict, safety refs, remote, pull request */
  "GET /api/attempts/:id/git": { params: { id: string }; response: GitState };
  /** Get the uncommitted changes */
  "GET /api/attempts/:id/uncommitted": { params: { id: string }; response: AttemptDiff };
  /** Commit all changes, or selected files and hunks */
  "POST /api/attempts/:id/commit": { params: { id: string }; body: Commit; response: Committed };
  /** Get the model that would suggest a commit message. Sends nothing to it */
  "GET /api/attempts/:id/commit-message": { params: { id: string }; response: CommitMessageModel };
  /** Suggest a commit message: sends the task's title and a part of the uncommitted diff, without recognised secrets, to a model */
  "POST /api/attempts/:id/commit-message": { params: { id: string }; body: SuggestCommitMessage; response: SuggestedCommitMessage };
  /** Discard changes against the base: files, or hunks of them. A safety ref keeps the previous content */
  "POST /api/attempts/:id/discard": { params: { id: string }; body: Discard; response: Restored };
  /** Restore files to before or after an execution, or to a safety ref. A safety ref keeps the previous content */
  "POST /api/attempts/:id/restore": { params: { id: string }; body: Restore; response: Restored };
  /** Rebase the attempt onto its base branch, or merge that into it */
  "POST /api/attempts/:id/update": { params: { id: string }; body: UpdateAttemptBase; response: UpdatedAttemptBase };
  /** Get all sides of a file with a conflict */
  "GET /api/attempts/:id/conflict": { params: { id: string }; query: { path: WorktreePath }; response: ConflictSides };
  /** Resolve a file, let the agent resolve all, finish the update or abort it */
  "POST /api/attempts/:id/conflict": { params: { id: string }; body: ResolveConflict; response: GitState };
  /** Land the attempt on its base branch: fast-forward, squash or merge. The task is done then */
  "POST /api/attempts/:id/land": { params: { id: string }; body: LandRequest; response: Landing };
  /** Undo the landing, unless the base branch has moved since */
  "POST /api/attempts/:id/undo-land": { params: { id: string }; response: GitState };
  /** Push the attempt's branch to a remote, with the user's own credentials */
  "POST /api/attempts/:id/push": { params: { id: string }; body: PushRequest; response: Pushed };
  /** Get the attempt's pull request, and the title, body and target that a new one would have */
  "GET /api/attempts/:id/pull-request": { params: { id: string }; response: PullRequestPlan };
  /** Push the attempt's branch, then create its pull request or update it */
  "POST /api/attempts/:id/pull-request": { params: { id: string }; body: OpenPullRequest; response: OpenedPullRequest };
  /** Ask the forge for the state of the pull request now */
  "POST /api/attempts/:id/pull-request/check": { params: { id: string }; response: PullRequest };
  /** Send failed checks and comments of the pull request to the agent as one message */
  "POST /api/attempts/:id/pull-request/feedback": { params: { id: string }; body: SendPullRequestFeedback; response: CommandResult };
  /** Create a task, or use an existing one, with an attempt, and send its first message, atomically. Repeating a request with the same `id` returns the first result */
  "POST /api/starts": { body: StartTask; response: StartedTask };
  /** Send a message to the task's active attempt, stop its execution, or resume its paused queue. Repeating a request with the same `id` returns the first result */
  "POST /api/commands": { body: Command; response: CommandResult };
  /** Edit a queued message */
  "PATCH /api/queue/:id": { params: { id: string }; body: UpdateQueuedMessage; response: QueuedMessage };
  /** Move a queued message before another one, or to the end of the queue */
  "POST /api/queue/:id/move": { params: { id: string }; body: MoveQueuedMessage; response: (QueuedMessage)[] };
  /** Remove a queued message */
  "DELETE /api/queue/:id": { params: { id: string }; response: void };
  /** Discard all queued messages of an attempt */
  "DELETE /api/attempts/:id/queue": { params: { id: string }; response: void };
  /** List approvals */
  "GET /api/approvals": { query: { status?: "pending" | "answered" | "expired" | undefined; attemptId?: AttemptId | undefined }; response: (Approval)[] };
  /** Answer an approval. The first answer counts. Agents cannot answer */
  "POST /api/approvals/:id": { params: { id: string }; body: AnswerApproval; response: Approval };
  /** List what needs the user, oldest first: ended executions that nobody has seen, and pull requests with failed checks or requested changes that the agent has not been sent. Questions of agents are pending approvals */
  "GET /api/inbox": { response: (InboxItem)[] };
  /** Clear or restore an inbox item, by the id of its execution, or of the attempt whose pull request it is */
  "PATCH /api/inbox/:id": { params: { id: string }; body: UpdateInboxItem; response: InboxItem };
  /** Create a task, or use an existing one, with several attempts, and send the first message to all of them, atomically. Repeating a request with the same `id` returns the first result */
  "POST /api/races": { body: StartRace; response: StartedRace };
  /** Send one message to several new attempts of a task, atomically. Repeating a request with the same `id` returns the first result */
  "POST /api/tasks/:id/race": { params: { id: string }; body: RaceTask; response: StartedRace };
  /** List the templates of tasks by name */
  "GET /api/templates": { response: (Template)[] };
  /** Create a template. Its prompt and title may have variables: `{{name}}` */
  "POST /api/templates": { body: CreateTemplate; response: Template };
  /** Get a template */
  "GET /api/templates/:id": { params: { id: string }; response: Template };
  /** Change a template */
  "PATCH /api/templates/:id": { params: { id: string }; body: UpdateTemplate; response: Template };
  /** Delete a template. Tasks that were started from it stay */
  "DELETE /api/templates/:id": { params: { id: string }; response: void };
  /** List the executions that wait because of a limit, in the order in which they will start */
  "GET /api/waiting-executions": { response: (WaitingExecution)[] };
  /** Start a waiting execution now, whatever the limits are */
  "POST /api/executions/:id/start-now": { params: { id: string }; response: void };
  /** Move a waiting execution before another one, or to the end */
  "POST /api/executions/:id/move": { params: { id: string }; body: MoveWaitingExecution; response: (WaitingExecution)[] };
  /** List the executions whose budget is used up, and those that are parked because of a limit of their provider */
  "GET /api/held-executions": { response: (WaitingExecution)[] };
  /** Answer the question of an execution whose budget is used up. Agents cannot answer */
  "POST /api/executions/:id/budget-answer": { params: { id: string }; body: AnswerBudget; response: void };
  /** Resume a parked execution now */
  "POST /api/executions/:id/resume": { params: { id: string }; response: void };
  /** Choose whether a parked execution resumes by itself */
  "PATCH /api/executions/:id/parked": { params: { id: string }; body: UpdateParked; response: Execution };
  /** Continue a parked execution with another agent or model, in a new attempt */
  "POST /api/executions/:id/continue-with": { params: { id: string }; body: Fallback; response: Execution };
  /** Get the budgets that apply to a task, and what was used of them */
  "GET /api/tasks/:id/budget": { params: { id: string }; response: TaskBudgets };
  /** Set the budget of a task. Agents cannot set it */
  "PUT /api/tasks/:id/budget": { params: { id: string }; body: SetTaskBudget; response: TaskBudgets };
  /** List one folder in the attempt's directory */
  "GET /api/attempts/:id/folder": { params: { id: string }; query: { path?: WorktreePath | undefined }; response: FolderListing };
  /** Read one file in the attempt's directory, now or at a version that a diff names: a text, an image, or the size of any other file */
  "GET /api/attempts/:id/file": { params: { id: string }; query: { path: WorktreePath; blob?: BlobId | undefined }; response: FileContent };
  /** Search paths of the attempt's directory, best match first */
  "GET /api/attempts/:id/file-matches": { params: { id: string }; query: { q?: string | undefined; limit?: number | undefined }; response: FileMatches };
  /** Search paths of the project, best match first */
  "GET /api/projects/:id/file-matches": { params: { id: string }; query: { q?: string | undefined; limit?: number | undefined }; response: FileMatches };
  /** List the slash commands available in this attempt */
  "GET /api/attempts/:id/commands": { params: { id: string }; response: (SlashCommand)[] };
  /** List the slash commands available in this project */
  "GET /api/projects/:id/commands": { params: { id: string }; response: (SlashCommand)[] };
  /** Complete a folder path on this machine, repositories first */
  "GET /api/folders": { query: { path: string; limit?: number | undefined }; response: FolderMatches };
  /** List repositories near the home folder that are not projects yet, most recently used first */
  "GET /api/repositories": { query: { limit?: number | undefined }; response: FolderMatches };
  /** List the MCP servers of the settings and of a project's .mcp.json, and whether they are trusted. Starts none */
  "GET /api/projects/:id/mcp-servers": { params: { id: string }; query: TrustPlace; response: McpServerList };
  /** Trust a server of a project's .mcp.json with its current definition and tools. It is started once to list the tools */
  "POST /api/projects/:id/mcp-servers/:name/trust": { params: { id: string; name: string }; body: TrustMcpServer; response: McpServerInfo };
  /** Revoke trust in a server */
  "DELETE /api/projects/:id/mcp-servers/:name/trust": { params: { id: string; name: string }; response: void };
  /** Skein's MCP server (Model Context Protocol, streamable HTTP; revisions 2026-07-28 and 2025-11-25 and earlier). Tools can do what the API token allows */
  "POST /mcp": { body: JsonValue; response: Response };
  /** Get which provider keys are set, the defaults of new attempts, and general settings. Keys are never returned */
  "GET /api/settings": { response: Settings };
  /** Set the API key of a provider, effective from the next message */
  "PUT /api/settings/providers/:name": { params: { name: string }; body: SetProviderKey; response: ProviderKey };
  /** Remove the API key of a provider */
  "DELETE /api/settings/providers/:name": { params: { name: string }; response: void };
  /** Set the kind of the forge on a host, and the token for it. The token is never returned */
  "PUT /api/settings/forges/:host": { params: { host: string }; body: SetForgeToken; response: ForgeAccess };
  /** Remove the token of a forge */
  "DELETE /api/settings/forges/:host": { params: { host: string }; response: void };
  /** Change the defaults of new attempts */
  "PATCH /api/settings/defaults": { body: UpdateAttemptDefaults; response: AttemptDefaults };
  /** Change settings that apply to every project */
  "PATCH /api/settings/general": { body: UpdateGeneralSettings; response: GeneralSettings };
  /** List the user's tool processors: the tools that each file handles, and its problems */
  "GET /api/tool-processors": { response: ToolProcessorList };
  /** Measure the data dir, in bytes */
  "GET /api/storage": { response: StorageUse };
  /** Get tokens and costs by day and agent, and of the most expensive attempts */
  "GET /api/usage": { query: { from: number; to: number; utcOffsetMinutes?: number | undefined; projectId?: ProjectId | undefined }; response: UsageReport };
  /** List attempts whose worktree differs from the trusted content, where scripts, settings or servers are therefore disabled */
  "GET /api/projects/:id/trust-changes": { params: { id: string }; response: (TrustChange)[] };
  /** Get the scripts of the repository's .skein/project.json, and whether they are trusted. Runs none */
  "GET /api/projects/:id/scripts": { params: { id: string }; query: TrustPlace; response: ProjectScripts };
  /** Trust the scripts as shown */
  "POST /api/projects/:id/scripts/trust": { params: { id: string }; body: TrustContent; response: ProjectScripts };
  /** Revoke trust in the scripts */
  "DELETE /api/projects/:id/scripts/trust": { params: { id: string }; response: void };
  /** List the agent settings in the repository, and whether they are trusted */
  "GET /api/projects/:id/agent-settings": { params: { id: string }; query: TrustPlace; response: AgentSettings };
  /** Trust the agent settings as shown */
  "POST /api/projects/:id/agent-settings/trust": { params: { id: string }; body: TrustContent; response: AgentSettings };
  /** Revoke trust in the agent settings */
  "DELETE /api/projects/:id/agent-settings/trust": { params: { id: string }; response: void };
  /** List the git hooks that a commit or a push would run, and whether they are trusted. Runs none */
  "GET /api/projects/:id/hooks": { params: { id: string }; query: TrustPlace; response: GitHooks };
  /** Trust the git hooks as shown */
  "POST /api/projects/:id/hooks/trust": { params: { id: string }; body: TrustContent; response: GitHooks };
  /** Revoke trust in the git hooks */
  "DELETE /api/projects/:id/hooks/trust": { params: { id: string }; response: void };
  /** Get whether the repository uses Git LFS, and whether its LFS server is trusted. Runs nothing */
  "GET /api/projects/:id/git-lfs": { params: { id: string }; response: GitLfs };
  /** Allow the user's git-lfs to download missing files from the server that was shown */
  "POST /api/projects/:id/git-lfs/trust": { params: { id: string }; body: TrustContent; response: GitLfs };
  /** Revoke trust in the Git LFS server */
  "DELETE /api/projects/:id/git-lfs/trust": { params: { id: string }; response: void };
  /** List executions with logs in the data dir that are not in the database, oldest first */
  "GET /api/quarantine": { response: QuarantineList };
  /** Import a quarantined execution from its log. An agent that still runs is followed again */
  "POST /api/quarantine/:id/recover": { params: { id: string }; response: RecoveredExecution };
  /** Stop the agent of an execution that is not in the database. Its log is kept */
  "POST /api/quarantine/:id/stop": { params: { id: string }; response: void };
  /** Permanently delete the files of a quarantined execution */
  "DELETE /api/quarantine/:id": { params: { id: string }; response: void };
  /** Get whether this server has users, and how they sign in */
  "GET /api/sign-in": { response: SignInOptions };
  /** Sign this browser in with an e-mail address and a password. Sets a cookie and returns the secret to send with it */
  "POST /api/sign-in": { body: SignIn; response: Response };
  /** Get what an invitation is for, before it is accepted */
  "POST /api/invitations/read": { body: ReadInvitation; response: ShownInvitation };
  /** Create a user by an invitation, and sign this browser in */
  "POST /api/invitations/accept": { body: AcceptInvitation; response: Response };
  /** Start a sign-in with OpenID Connect: returns the provider's page to open */
  "POST /api/sign-in/:provider/start": { params: { provider: string }; body: StartOidc; response: Response };
  /** Where the provider sends the browser back to. Redirects to a page that completes the sign-in */
  "GET /api/sign-in/:provider/callback": { params: { provider: string }; response: Response };
  /** Get the signed-in user, and the user's projects */
  "GET /api/me": { response: Me };
  /** Change the name of the signed-in user */
  "PATCH /api/me": { body: UpdateMe; response: User };
  /** Change the password. Ends all other sessions of the user */
  "PUT /api/me/password": { body: ChangePassword; response: void };
  /** List the signed-in browsers of the user */
  "GET /api/me/sessions": { response: (ListedSession)[] };
  /** Sign a browser of the user out */
  "DELETE /api/me/sessions/:id": { params: { id: string }; response: void };
  /** List the user's API tokens. The tokens themselves are never returned */
  "GET /api/me/tokens": { response: (ApiToken)[] };
  /** Create an API token. It is returned once */
  "POST /api/me/tokens": { body: CreateApiToken; response: CreatedApiToken };
  /** Revoke an API token of the user */
  "DELETE /api/me/tokens/:id": { params: { id: string }; response: void };
  /** List which keys of providers and agents the user has. Keys are never returned */
  "GET /api/me/keys": { response: (OwnedKey)[] };
  /** Set a key of the user. It is used only for messages that this user sends */
  "PUT /api/me/keys/:name": { params: { name: string }; body: SetProviderKey; response: OwnedKey };
  /** Remove a key of the user */
  "DELETE /api/me/keys/:name": { params: { name: string }; response: void };
  /** List the members of a project, with their roles */
  "GET /api/projects/:id/members": { params: { id: string }; response: (Member)[] };
  /** List users who are not members of a project */
  "GET /api/projects/:id/member-candidates": { params: { id: string }; response: (UserReference)[] };
  /** Add a user to a project, or change the user's role */
  "PUT /api/projects/:id/members/:userId": { params: { id: string; userId: string }; body: SetMember; response: (Member)[] };
  /** Remove a user from a project */
  "DELETE /api/projects/:id/members/:userId": { params: { id: string; userId: string }; response: void };
  /** Invite somebody to this server and this project. The link is returned once */
  "POST /api/projects/:id/invitations": { params: { id: string }; body: InviteToProject; response: CreatedInvitation };
  /** List which keys of providers and agents a project has. Keys are never returned */
  "GET /api/projects/:id/keys": { params: { id: string }; response: (OwnedKey)[] };
  /** Set a key of a project, used for messages of users who have none of their own */
  "PUT /api/projects/:id/keys/:name": { params: { id: string; name: string }; body: SetProviderKey; response: OwnedKey };
  /** Remove a key of a project */
  "DELETE /api/projects/:id/keys/:name": { params: { id: string; name: string }; response: void };
  /** List the users */
  "GET /api/users": { response: (User)[] };
  /** Create a user */
  "POST /api/users": { body: CreateUser; response: User };
  /** Change a user. Deactivating ends the user's sessions, streams and tokens at once */
  "PATCH /api/users/:id": { params: { id: string }; body: UpdateUser; response: User };
  /** List the signed-in browsers of a user */
  "GET /api/users/:id/sessions": { params: { id: string }; response: (UserSession)[] };
  /** Sign all browsers of a user out */
  "DELETE /api/users/:id/sessions": { params: { id: string }; response: void };
  /** List the invitations */
  "GET /api/invitations": { response: (Invitation)[] };
  /** Invite somebody. The link is returned once */
  "POST /api/invitations": { body: CreateInvitation; response: CreatedInvitation };
  /** Withdraw an invitation */
  "DELETE /api/invitations/:id": { params: { id: string }; response: void };
  /** List API tokens, of all users or of one. The tokens themselves are never returned */
  "GET /api/tokens": { query: { userId?: UserId | undefined }; response: (ApiToken)[] };
  /** Create an API token; on a server with users, for one of them. It is returned once. Agents cannot create one */
  "POST /api/tokens": { body: CreateTokenOfUser; response: CreatedApiToken };
  /** Revoke an API token */
  "DELETE /api/tokens/:id": { params: { id: string }; response: void };
  /** List who did what, newest first. Continue with `before`, the number of the last entry */
  "GET /api/audit": { query: { before?: number | undefined; limit?: number | undefined; userId?: UserId | undefined; projectId?: ProjectId | undefined; action?: string | undefined }; response: AuditPage };
  /** List the workers with their state, agents and executions */
  "GET /api/workers": { response: (Worker)[] };
  /** Invite a worker: the code can be used once, within an hour */
  "POST /api/workers": { body: InviteWorker; response: WorkerInvitation };
  /** Exchange the code of an invitation for the credential of a worker */
  "POST /api/workers/enrolments": { body: EnrolWorker; response: { id: HostId } };
  /** Drain a worker, which then starts no more agents, or activate it again */
  "PATCH /api/workers/:id": { params: { id: string }; body: UpdateWorker; response: Worker };
  /** Remove a worker for good: what runs there becomes interrupted */
  "DELETE /api/workers/:id": { params: { id: string }; response: void };
  /** Move an attempt to a worker, or to the server's own machine, with its last recorded files */
  "POST /api/attempts/:id/move": { params: { id: string }; body: MoveAttempt; response: Attempt };
  /** List the sessions of other programs on this machine, and what of them has been imported. Reads only */
  "GET /api/import/sources": { response: ImportSources };
  /** Start an import of sessions of one program. Imports run one after another; a session that has not changed is not read again */
  "POST /api/import": { body: StartImport; response: ImportRun };
  /** Import an attempt that was exported as JSON, as a new task of a project. The whole file is checked first; one that was imported before is not imported again */
  "POST /api/import/file": { query: ImportFileQuery; body: AttemptExport; response: ImportRun };
  /** Progress and results of the imports since the server was started, newest first */
  "GET /api/import/runs": { response: ImportRuns };
  /** Stop all imports. What was imported stays, and the next import continues there */
  "POST /api/import/stop": { response: ImportRuns };
  /** List the servers that share the Postgres database. Empty with SQLite */
  "GET /api/nodes": { response: NodeList };
  /** Drain a server, which then starts no agents on its machine and takes no projects, or activate it again */
  "PATCH /api/nodes/:id": { params: { id: string }; body: UpdateNode; response: Node };
  /** Give up a server that is not running: executions on its machine are interrupted */
  "DELETE /api/nodes/:id": { params: { id: string }; response: void };
  /** Stream what agents of this server show before it is committed, to another server that shares the database */
  "GET /api/nodes/live": { response: Response };
  /** Redeem the code of a launch link for another server that shares the database */
  "POST /api/nodes/launch-codes": { body: CreateSession; response: { redeemed: boolean } };
  /** List the newest jobs that the server does by itself, and their schedules with the runs that were missed */
  "GET /api/jobs": { response: JobList };
  /** Cancel a job that is waiting or running */
  "DELETE /api/jobs/:id": { params: { id: string }; response: void };
  /** Measure what attempts have on disk, on this machine and on connected workers, in bytes, largest first */
  "GET /api/storage/attempts": { response: AttemptUse };
  /** Plan a clean-up: what can be removed without losing work, and what is kept and why. Removes nothing */
  "GET /api/clean": { query: { olderThanDays?: number | undefined }; response: CleanPlan };
  /** Remove items of a plan, in the background. Each is checked again right before it is removed */
  "POST /api/clean": { body: StartClean; response: CleanRun };
  /** Get the clean-up in progress, or the last one since the server was started */
  "GET /api/clean/run": { response: LastClean };
}

/** Routes that do not answer with JSON. */
export const otherRoutes: Readonly<Record<string, "empty" | "raw">> = {
  "GET /api/events": "raw",
  "POST /api/sessions": "raw",
  "POST /api/logout": "raw",
  "GET /metrics": "raw",
  "GET /api/openapi.json": "raw",
  "DELETE /api/agents/:id": "empty",
  "DELETE /api/permission-rules/:id": "empty",
  "POST /api/attempts/:id/undo-compression": "empty",
  "GET /api/attempts/:id/export": "raw",
  "POST /api/attempts/:id/export": "raw",
  "GET /api/executions/:id/outputs/:name": "raw",
  "GET /api/attempts/:id/terminals/:terminal/output": "raw",
  "POST /api/attempts/:id/terminals/:terminal/input": "empty",
  "POST /api/attempts/:id/terminals/:terminal/size": "empty",
  "DELETE /api/attempts/:id/terminals/:terminal": "empty",
  "DELETE /api/comments/:id": "empty",
  "PUT /api/attempts/:id/viewed": "empty",
  "DELETE /api/queue/:id": "empty",
  "DELETE /api/attempts/:id/queue": "empty",
  "DELETE /api/templates/:id": "empty",
  "POST /api/executions/:id/start-now": "empty",
  "POST /api/executions/:id/budget-answer": "empty",
  "POST /api/executions/:id/resume": "empty",
  "DELETE /api/projects/:id/mcp-servers/:name/trust": "empty",
  "POST /mcp": "raw",
  "DELETE /api/settings/providers/:name": "empty",
  "DELETE /api/settings/forges/:host": "empty",
  "DELETE /api/projects/:id/scripts/trust": "empty",
  "DELETE /api/projects/:id/agent-settings/trust": "empty",
  "DELETE /api/projects/:id/hooks/trust": "empty",
  "DELETE /api/projects/:id/git-lfs/trust": "empty",
  "POST /api/quarantine/:id/stop": "empty",
  "DELETE /api/quarantine/:id": "empty",
  "POST /api/sign-in": "raw",
  "POST /api/invitations/accept": "raw",
  "POST /api/sign-in/:provider/start": "raw",
  "GET /api/sign-in/:provider/callback": "raw",
  "PUT /api/me/password": "empty",
  "DELETE /api/me/sessions/:id": "empty",
  "DELETE /api/me/tokens/:id": "empty",
  "DELETE /api/me/keys/:name": "empty",
  "DELETE /api/projects/:id/members/:userId": "empty",
  "DELETE /api/projects/:id/keys/:name": "empty",
  "DELETE /api/users/:id/sessions": "empty",
  "DELETE /api/invitations/:id": "empty",
  "DELETE /api/tokens/:id": "empty",
  "DELETE /api/workers/:id": "empty",
  "DELETE /api/nodes/:id": "empty",
  "GET /api/nodes/live": "raw",
  "DELETE /api/jobs/:id": "empty",
};

export type AcceptInvitation = { code: string; email?: string | undefined; name: string; password: string };
export type AcceptedBody = MessageBody;
export type ActiveCompression = { summaryId: string | null };
export type AddAgent = { catalogueId: CatalogueId; hash: string };
export type AgentCatalogue = { entries: (Shared1)[]; origin: { repository: string; commit: string; date: string }; customCommand: (string)[] };
export type AgentId = string;
export type AgentInfo = { id: AgentId; name: string; available: boolean; version?: string | undefined; path?: string | undefined; hint?: string | undefined; hintText?: Shared2 | undefined; models: ({ id: ModelId; name: string; description?: string | undefined; contextWindow?: number | undefined; outputLimit?: number | undefined; price?: { input: number; output: number; cacheRead?: number | undefined; cacheWrite?: number | undefined } | undefined })[]; missing?: ({ name: string; hint: string; hintText?: Shared2 | undefined })[] | undefined; defaultModel?: ModelId | undefined; permissionControl?: "asks" | "sandbox" | "if-it-asks" | "none" | undefined; planSupport?: "enforced" | "own" | "if-offered" | "none" | undefined; systemPromptSupport?: "next-message" | "new-session-if-offered" | "none" | undefined; listsSessions?: boolean | undefined; capabilities?: { compressesHistory: boolean } | undefined; added?: { command: (string)[]; variables: (string)[]; enabled: boolean; catalogue?: { id: string; version: string; latest?: string | undefined } | undefined } | undefined };
export type AgentLimits = { depth: number | null; starts: number | null; costUsd: number | null };
export type AgentList = { agents: (AgentInfo)[]; defaultAgent: AgentId; defaultPermissionMode?: WorkingMode | undefined; problem?: string | undefined; problemText?: { code: "config-unreadable"; path: string; reason: string } | { code: "config-not-json"; path: string; reason: string } | { code: "config-field-invalid"; path: string; field: string; issue: Shared3 | Shared4 } | undefined };
export type AgentSessionList = { sessions: ({ id: string; title: string | null; updatedAt: Timestamp | null })[]; truncated: boolean };
export type AgentSettings = { files: (string)[]; changes: ({ path: string; change: "added" | "changed"; patch: string | null })[]; hash: ContentHash | null; trust: "none" | "trusted" | "changed"; problem?: string | undefined; problemText?: Shared8 | undefined };
export type AnswerApproval = { decision: ApprovalDecision; reason?: string | undefined; answers?: ApprovalAnswers | undefined; plan?: PlanApproval | undefined };
export type AnswerBudget = { decision: "more" | "unlimited" | "stop"; since: Timestamp };
export type ApiToken = { id: ApiTokenId; userId: UserId | null; executionId: ExecutionId | null; name: string; scope: TokenScope; projectIds: (ProjectId)[] | null; limits: AgentLimits; createdAt: Timestamp; expiresAt: Timestamp; lastUsedAt: Timestamp | null };
export type ApiTokenId = string;
export type Approval = Shared9 | Shared10 | Shared11;
export type ApprovalAnswers = { [name: string]: string | (string)[] };
export type ApprovalDecision = "allow" | "allow-always" | "deny";
export type ApprovalId = string;
export type Attempt = { id: AttemptId; taskId: TaskId; number: number; agent: AgentId; model: ModelId | null; permissionMode: PermissionMode; agentMode?: string | null | undefined; systemPrompt: string; isolation: "worktree" | "in-place"; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined; hostId?: HostId | null | undefined; directory: string; branch: string | null; baseBranch: string | null; baseCommit: string | null; sessionId: string | null; resumedSession?: string | undefined; sessionOptions?: { models: ({ id: ModelId; name: string; description?: string | undefined })[]; currentModel?: ModelId | undefined; modes: ({ id: string; name: string; description?: string | undefined })[]; hasPlanMode: boolean } | undefined; continuedFrom: AttemptId | null; forkedFrom?: { executionId: ExecutionId; at: "start" | "end" } | undefined; nodeId?: NodeId | undefined; active: boolean; raceId?: RaceId | undefined; archived?: boolean | undefined; check?: Shared16 | undefined; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; updatedAt: Timestamp };
export type AttemptCheck = { check: Shared16 | null; isOutdated: boolean | null };
export type AttemptDefaults = { agent: AgentId | null; model: ModelId | null; permissionMode: WorkingMode | null };
export type AttemptDiff = { baseCommit: string | null; files: (Shared17)[]; truncated: boolean; approximate?: boolean | undefined; excluded?: { paths: (string)[]; total: number } | undefined; nested?: (string)[] | undefined };
export type AttemptExport = { format: "skein-attempt/2"; exportedAt: Timestamp; version: string; task: Task; attempt: Attempt; executions: (Execution)[]; changes: AttemptDiff | null; messages?: (StoredMessage)[] | undefined; conversation: (ConversationMessage)[]; redaction: Shared18 | null };
export type AttemptId = string;
export type AttemptSummary = { id: AttemptId; taskId: TaskId; number: number; agent: AgentId; model: ModelId | null; permissionMode: PermissionMode; agentMode?: string | null | undefined; systemPrompt: string; isolation: "worktree" | "in-place"; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined; hostId?: HostId | null | undefined; directory: string; branch: string | null; baseBranch: string | null; baseCommit: string | null; sessionId: string | null; resumedSession?: string | undefined; sessionOptions?: { models: ({ id: ModelId; name: string; description?: string | undefined })[]; currentModel?: ModelId | undefined; modes: ({ id: string; name: string; description?: string | undefined })[]; hasPlanMode: boolean } | undefined; continuedFrom: AttemptId | null; forkedFrom?: { executionId: ExecutionId; at: "start" | "end" } | undefined; nodeId?: NodeId | undefined; active: boolean; raceId?: RaceId | undefined; archived?: boolean | undefined; check?: Shared16 | undefined; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; updatedAt: Timestamp; totals: Totals; lastEnd: LastEnd | null };
export type AttemptUse = { attempts: ({ projectId: ProjectId; taskId: TaskId; taskTitle: string; attemptId: AttemptId; number: number; hostId?: HostId | undefined; worktree: number; executionLogs: number; outputs: number; sandboxHome: number })[]; missingHosts: (HostId)[] };
export type AuditEntry = { number: number; at: Timestamp; caller: "user" | "instance" | "anyone"; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; tokenId?: ApiTokenId | undefined; action: string; outcome: "done" | "refused" | "failed"; projectId?: ProjectId | undefined; subjects: (string)[]; details?: JsonValue | undefined; address: string };
export type AuditPage = { entries: (AuditEntry)[]; hasMore: boolean };
export type BlobId = string;
export type BranchList = { branches: (string)[]; current: string | null; truncated: boolean };
export type Budget = { costUsd?: number | undefined; tokens?: number | undefined; minutes?: number | undefined };
export type BudgetMeasure = "costUsd" | "tokens" | "minutes";
export type BudgetScope = "execution" | "task" | "project" | "projectDay" | "day";
export type BudgetSettings = { execution?: Budget | undefined; task?: Budget | undefined; project?: Budget | undefined; projectDay?: Budget | undefined; day?: Budget | undefined; perProject: { [name: string]: { execution?: Budget | undefined; task?: Budget | undefined; project?: Budget | undefined; projectDay?: Budget | undefined } } };
export type CatalogueId = string;
export type ChangePassword = { current?: string | undefined; password: string };
export type CheckBadge = { attemptId: AttemptId; state: "waiting" | "running" | "passed" | "failed" | "timed-out" | "stopped" | "interrupted" | "not-run" | null; raceId?: RaceId | undefined };
export type CleanPlan = { items: (Shared19)[]; kept: ({ projectId: ProjectId; taskId: TaskId; taskTitle: string; attemptId: AttemptId; number: number; hostId?: HostId | undefined; id: string; bytes: number | null; lastUsedAt: Timestamp; kind: "worktree" | "sandbox-home" | "execution-log"; why: Shared20 })[]; plannedAt: Timestamp };
export type CleanRun = { startedAt: Timestamp; endedAt: Timestamp | null; total: number; results: ({ outcome: "removed"; id: string; bytes: number | null } | { outcome: "kept"; id: string; why: Shared20 } | { outcome: "failed"; id: string; detail: string })[] };
export type CodedText = { code: "version-timed-out"; seconds: number } | { code: "version-not-reported" } | { code: "agent-not-installed"; agent: string; install: string } | { code: "agent-command-unusable"; agent: string; program: string } | { code: "agent-launcher-missing"; agent: string; program: string } | { code: "agent-does-not-start"; agent: string; reason: string | { code: "version-timed-out"; seconds: number } | { code: "version-not-reported" }; install: string } | { code: "agent-too-old"; agent: string; version: string; least: string; install: string } | { code: "agent-program-not-found"; agent: string; program: string; download?: string | undefined } | { code: "agent-turned-off"; agent: string } | { code: "agent-removed" } | { code: "agent-not-logged-in"; agent: string; login?: { command?: string | undefined; enter?: string | undefined; variable?: string | undefined } | undefined } | { code: "no-model" } | { code: "provider-key-missing"; variable: string } | { code: "runs-as-other-user" } | { code: "deletes-folders" } | { code: "deletes-found-files" } | { code: "runs-from-network" } | { code: "overwrites-remote" } | { code: "discards-changes" } | { code: "overwrites-disk" } | { code: "changes-file-system" } | { code: "changes-rights" } | { code: "turns-machine-off" } | { code: "writes-to-device" } | { code: "not-checked" } | { code: "copies-itself" } | { code: "git-file"; path: string } | { code: "agent-settings-file"; path: string } | { code: "editor-file"; path: string } | { code: "package-file"; path: string } | { code: "trusted-file"; path: string } | { code: "asks-for-permission"; agent: string; permission: string } | { code: "provider-limits"; provider: string; said: string } | { code: "provider-stopped-account"; provider: string; said: string } | { code: "provider-overloaded"; provider: string; said: string } | { code: "conversation-too-long"; model: string; said: string } | { code: "provider-refused-request"; provider: string; said: string } | { code: "provider-refused-key"; provider: string; variable: string; said: string } | { code: "provider-connection-failed"; provider: string; said: string } | { code: "provider-answer-unfinished"; provider: string } | { code: "provider-answer-stalled"; provider: string; seconds: number } | { code: "provider-unknown-model"; provider: string; model: string; said: string } | { code: "provider-error"; provider: string; said: string } | { code: "answer-broke-off" } | { code: "model-needs-key"; model: string; variable: string } | { code: "model-not-known"; model: string; usable: (string)[]; hasScripts: boolean } | { code: "mcp-no-answer"; seconds: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-exited"; exitCode: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-killed"; signal: string; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-message-too-long"; maxBytes: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-connection-closed"; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-connection-failed"; said: string; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-program-not-found"; command: string } | { code: "mcp-program-not-started"; command: string; error: string } | { code: "mcp-key-required"; status: number } | { code: "mcp-redirects-elsewhere"; origin: string } | { code: "mcp-redirects-too-often"; max: number } | { code: "mcp-files-changed"; names: (string)[]; more: number } | { code: "mcp-files-not-listed"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "stopped" } | { code: "step-limit"; steps: number } | { code: "cost-limit"; spentUsd: number; limitUsd: number } | { code: "budget-reached"; scope: BudgetScope; measure: BudgetMeasure; spent: number; limit: number } | { code: "provider-limit"; agent: string; limit: "plan-limit" | "daily-quota" | "rate-limit" | "overloaded"; resetsAt: Timestamp | null } | { code: "continued-elsewhere"; from: string; limit: "plan-limit" | "daily-quota" | "rate-limit" | "overloaded"; resetsAt: Timestamp | null; agent: string } | { code: "ended-by-resource-limit"; resource: "memory" | "processes"; limit: number; used: number } | { code: "process-lost" } | { code: "ended-by-signal"; signal: string } | { code: "ended-unfinished"; agent?: string | undefined } | { code: "ended-without-answer"; stderr?: string | undefined } | { code: "ended-without-result"; agent: string } | { code: "ended-before-answer"; agent: string } | { code: "ended-with-exit-code"; exitCode: number; stderr?: string | undefined } | { code: "not-finished" } | { code: "agent-failed"; agent?: string | undefined; state?: string | undefined } | { code: "agent-gave-no-reason"; agent: string } | { code: "not-started"; reason: string } | { code: "not-started-again" } | { code: "node-given-up" } | { code: "program-missing"; agent: string; program: string } | { code: "program-not-executable"; agent: string; program: string } | { code: "program-not-started"; agent: string; reason: string } | { code: "setup-failed"; exitCode: number } | { code: "setup-timed-out"; seconds: number } | { code: "setup-not-started"; reason: string } | { code: "setup-ended-by-signal"; signal: string } | { code: "model-declined" } | { code: "model-reached-output-limit" } | { code: "agent-reached-request-limit" } | { code: "native-failed"; reason: string } | { code: "native-not-started"; reason: string } | { code: "history-unreadable"; reason: string } | { code: "message-resent" } | { code: "message-not-sent"; images: number; message: string } | { code: "result-not-saved"; reason: string } | { code: "result-saved" } | { code: "program-over-limit"; resource: "memory" | "processes"; limit: number; used: number; names: (string)[]; more: number } | { code: "approval-tampered"; tool: string } | { code: "control-refused" } | { code: "no-plan-mode"; agent: string } | { code: "plan-mode-not-offered"; agent: string } | { code: "codex-without-plan-mode" } | { code: "codex-cannot-ask" } | { code: "codex-without-system-prompt" } | { code: "permissions-not-asked"; agent: string } | { code: "acted-unasked"; agent: string } | { code: "changed-elsewhere"; owner: "another-attempt" | "checkout"; files: (string)[]; isCertain: boolean } | { code: "agent-settings-not-used"; state: "untrusted" | "changed"; names: (string)[]; more: number } | { code: "agent-settings-refused"; agent: string; names: (string)[]; more: number } | { code: "scripts-not-used"; what: "setup" | "copy"; state: "untrusted" | "changed" } | { code: "script-files-changed"; script: "setup" | "cleanup" | "check" | "dev"; names: (string)[]; more: number } | { code: "script-not-run"; script: "setup" | "cleanup" | "check" | "dev"; reason: string | { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "check-not-trusted"; state: "untrusted" | "changed" } | { code: "check-stopped" } | { code: "check-missing" } | { code: "check-superseded" } | { code: "check-folder-gone" } | { code: "check-not-started"; reason: string } | { code: "trust-unreadable"; path: string } | { code: "folder-restored"; branch: string } | { code: "shared-folder"; attempt: number; task?: string | undefined } | { code: "lfs-not-trusted"; count: number } | { code: "lfs-moved"; count: number; address: string } | { code: "lfs-no-program"; count: number } | { code: "lfs-failed"; count: number; said: string } | { code: "lfs-no-room"; count: number } | { code: "lfs-not-found"; count: number } | { code: "lfs-no-server"; count: number } | { code: "lfs-no-protocol"; count: number } | { code: "lfs-not-placed"; reason: string } | { code: "mcp-server-edited"; server: string; names: (string)[]; more: number } | { code: "mcp-servers-not-trusted"; servers: ({ name: string; isChanged: boolean })[] } | { code: "mcp-server-not-started"; server: string; reason: string | Shared12 } | { code: "mcp-server-lost"; server: string; reason: string | Shared12 } | { code: "mcp-server-restarted"; server: string } | { code: "mcp-server-not-restarted"; server: string; reason: string | Shared12 } | { code: "mcp-server-tools-changed"; server: string } | { code: "mcp-tools-left-out"; left: number; total: number } | { code: "mcp-tools-withheld"; server: string; tools: (string)[] } | { code: "session-replaced"; agent: string; isInformed: boolean } | { code: "agent-mode"; mode: string } | { code: "images-left-out"; agent: string } | { code: "agent-downloading"; agent: string; program: string } | { code: "download-unreachable"; agent: string; program: string } | { code: "download-unknown"; agent: string; program: string; package: string } | { code: "download-failed"; agent: string; program: string; said: string } | { code: "no-hello"; agent: string; seconds: number } | { code: "protocol-version-differs"; agent: string; theirs: number; ours: number } | { code: "session-not-named"; agent: string } | { code: "session-resumed"; agent: string } | { code: "session-not-resumed"; agent: string; session: string; said?: string | undefined } | { code: "output-limit" } | { code: "empty-answer"; agent?: string | undefined } | { code: "waiting-for-background"; agent: string; commands: (string)[] } | { code: "conversation-compacted"; agent: string; isAutomatic: boolean; tokensBefore?: number | undefined; tokensAfter?: number | undefined } | { code: "conversation-reset"; agent: string } | { code: "api-retry"; said?: string | undefined; attempt: number; most?: number | undefined; delayMs?: number | undefined } | { code: "hook-failed"; hook?: string | undefined; exitCode?: number | undefined; outcome?: string | undefined; said?: string | undefined } | { code: "background-task-ended"; state: string } | { code: "background-command-ended" } | { code: "notice-without-text"; agent: string } | { code: "unknown-output"; agent: string; kind: string } | { code: "unknown-request"; agent: string; kind: string } | { code: "request-refused"; agent: string; said?: string | undefined } | { code: "agent-error"; agent: string } | { code: "model-call-failed" } | { code: "summary-model-unusable"; reason: string | Shared13 } | { code: "sent-without"; reason: string | Shared13; leftOut: "effort" | "thoughts" | "images" | "thoughts-and-images" | "calls" | "older-outputs" | "outputs" } | { code: "background-commands-ended"; commands: (string)[] } | { code: "not-released"; reason: string } | { code: "login-rejected"; agent: string; said: string; login?: { command?: string | undefined; enter?: string | undefined; variable?: string | undefined } | undefined } | { code: "key-rejected"; agent: string; gateway: string; said: string } | { code: "no-quota"; agent: string; said: string } | { code: "rate-limited"; agent: string; said: string } | { code: "provider-failed"; said: string } | { code: "model-unreachable"; agent: string; said: string } | { code: "credit-too-low"; said: string } | { code: "option-unknown"; agent: string; option: string; install: string } | { code: "variable-not-passed"; agent: string; id: string; variable: string } | { code: "sandbox-failed"; agent: string } | { code: "model-silent"; seconds: number } | { code: "model-was-silent"; seconds: number } | { code: "model-retried"; attempt: number } | { code: "retry-waiting"; reason: string | Shared13; attempt: number; delayMs: number } | { code: "retry-succeeded"; reason: string | Shared13; attempt: number } | { code: "retry-failed"; reason: string | Shared13; attempt: number } | { code: "conversation-compressed"; messages: number; tokensBefore: number; tokensAfter: number; model: string; inputTokens?: number | undefined; outputTokens?: number | undefined; costUsd?: number | undefined; fits: boolean } | Shared14 | { code: "compression-failed"; failure: "no-model" | "nothing-to-summarize" | "does-not-shrink" | "too-long" | "empty" | "cut-short" | "refused" | "model-failed" | "timed-out" | "cancelled" | "switched-off" | "not-automatic" | "changed-meanwhile"; fits: boolean } | { code: "compression-not-needed" } | { code: "agent-unusable"; hint: Shared2 } | { code: "agent-working" } | { code: "nothing-to-commit" } | { code: "nothing-to-land"; base: string } | { code: "uncommitted"; files: number } | { code: "behind-base"; base: string; behind: number } | { code: "in-conflict" } | { code: "detached-head" } | { code: "unborn-branch" } | { code: "no-base-branch" } | { code: "base-gone"; base: string } | { code: "base-checked-out-dirty"; base: string; path: string } | { code: "base-checked-out-elsewhere"; base: string; path: string } | { code: "base-not-fast-forward"; base: string } | { code: "no-identity" } | { code: "no-remote" } | { code: "no-credential"; host: string } | { code: "index-locked"; path: string } | { code: "in-place" } | { code: "shallow" } | { code: "uses-lfs"; directory: string } | { code: "git-too-old"; version: string } | { code: "git-failed"; directory: string; reason: string } | { code: "operation-interrupted"; reason: string } | { code: "hook-refused"; hook: string; output: string } | { code: "hook-timed-out"; hook: string; minutes: number } | { code: "changed-since"; path: string } | { code: "files-changed" } | { code: "files-in-the-way"; directory: string; names: string } | { code: "ref-moved"; branch: string } | { code: "safety-ref-gone" } | { code: "not-recorded" } | { code: "no-conflict" } | { code: "no-conflict-in-file"; path: string } | { code: "unresolved-files"; names: string } | { code: "not-landed" } | { code: "ssh-refused"; host: string } | { code: "ssh-host-unknown"; host: string } | { code: "no-ssh"; host: string } | { code: "push-declined"; host: string; branch: string; said: string } | { code: "push-rejected"; host: string; branch: string } | { code: "no-network"; host: string } | { code: "remote-gone"; url: string } | { code: "push-failed"; host: string; said: string } | { code: "no-such-lines"; path: string } | { code: "comment-sent" } | { code: "comment-not-sent" } | { code: "empty-review" } | { code: "forge-unreachable"; host: string } | { code: "forge-unauthorized"; host: string } | { code: "forge-forbidden"; host: string; said: string } | { code: "forge-not-found"; host: string; repository: string } | { code: "forge-rate-limited"; host: string; until: Timestamp } | { code: "forge-rejected"; host: string; said: string } | { code: "forge-no-commits"; base: string } | { code: "forge-no-base"; host: string; base: string } | { code: "forge-error"; host: string; reason: string } | { code: "forge-insecure"; host: string } | { code: "no-forge-credential"; host: string; variable: string } | { code: "no-pull-request" } | { code: "pull-request-closed" } | { code: "no-feedback" } | { code: "unknown-forge"; host: string } | { code: "internal-error" } | { code: "sandbox-unavailable"; state: "system" | "not-installed" | "not-permitted"; detail?: string | undefined } | Shared21 | { code: "method-not-allowed"; allowed: (string)[] } | { code: "unknown-route"; path: string } | { code: "not-found"; id: string } | { code: "invalid-request"; place: "query" | "body"; path: string; reason?: Shared3 | undefined } | { code: "unsupported-media-type" } | { code: "malformed-json"; reason?: string | undefined } | { code: "body-too-large"; maxBytes: number } | { code: "malformed-request" } | { code: "headers-too-large" } | { code: "request-timeout" } | { code: "too-many-event-clients"; count: number } | { code: "host-not-allowed" } | { code: "origin-not-allowed"; isOwn: boolean } | { code: "token-required" } | { code: "unauthorized" } | { code: "launch-code-not-valid" } | { code: "check-open" } | { code: "no-open-check" } | { code: "attempt-active" } | { code: "team-mode-off" } | { code: "metrics-off" } | { code: "sign-in-failed" } | { code: "sign-in-limited"; seconds: number } | { code: "sign-in-busy" } | { code: "sign-in-not-completed"; provider: string; reason: string } | { code: "sign-in-not-invited"; provider: string } | { code: "sign-in-provider-not-found"; id: string } | { code: "invitation-not-valid" } | { code: "invitation-needs-email" } | { code: "email-taken"; email: string } | { code: "password-wrong" } | { code: "role-required"; role: string } | { code: "admin-required" } | { code: "scope-required"; scope: string } | { code: "browser-required" } | { code: "last-admin" } | { code: "user-deactivated" } | { code: "key-not-readable"; name: string } | { code: "user-not-found"; id: string } | { code: "session-not-found"; id: string } | { code: "token-not-found"; id: string } | { code: "invitation-not-found"; id: string } | { code: "token-needs-user" } | { code: "not-for-agents" } | { code: "agent-mode-too-high"; mode: string } | { code: "agent-needs-worktree" } | { code: "agent-needs-sandbox" } | { code: "not-started-by-agent"; id: string } | { code: "agent-depth-limit"; limit: number } | { code: "agent-start-limit"; limit: number } | { code: "agent-cost-limit"; limitUsd: number; costUsd: number } | { code: "request-id-reused" } | { code: "project-not-found"; id: string } | { code: "task-not-found"; id: string } | { code: "attempt-not-found"; id: string } | { code: "execution-not-found"; id: string } | { code: "message-not-found"; id: string } | { code: "inbox-item-not-found"; id: string } | { code: "output-not-found"; id: string } | { code: "queued-message-not-found"; id: string } | { code: "permission-rule-not-found"; id: string } | { code: "approval-not-found"; id: string } | { code: "comment-not-found"; id: string } | { code: "quarantined-execution-not-found"; id: string } | { code: "template-not-found"; id: string } | { code: "agent-not-found"; id: string } | { code: "agent-not-added"; id: string } | { code: "not-in-catalogue"; id: string } | { code: "agent-built-in"; agent: string; builtIn: string } | { code: "catalogue-changed"; agent: string } | { code: "agent-exists"; id: string } | { code: "agent-not-available"; agent: string; known?: (string)[] | undefined; hint?: Shared2 | undefined } | { code: "model-not-usable"; reason: string | Shared15 } | { code: "unknown-agent-mode"; mode: string } | { code: "sessions-not-offered"; agent: string } | { code: "sessions-not-listed"; agent: string; reason: string | Shared15 | Shared2 } | { code: "session-needs-project-folder" } | { code: "session-or-attempt" } | { code: "project-exists"; path: string; project: string } | { code: "uncommitted-changes"; attempt: number; names: (string)[]; more: number; directory?: string | undefined } | { code: "attempt-continued"; attempt: number; next: number } | { code: "attempt-id-taken"; id: string } | { code: "source-not-found"; id: string } | { code: "source-in-worktree"; attempt: number } | { code: "fork-source-not-found"; id: string } | { code: "fork-needs-worktree" } | { code: "fork-or-continue" } | { code: "no-attempt" } | { code: "empty-message" } | { code: "cannot-retry" } | { code: "image-too-large"; width: number; height: number; maxEdge: number; maxPixels: number } | { code: "already-handed-over" } | { code: "inbox-item-superseded" } | { code: "execution-not-waiting" } | { code: "answered-by-agent" } | { code: "node-unreachable"; name: string } | { code: "node-not-found"; id: string } | { code: "node-alive"; name: string } | { code: "node-draining"; name: string } | { code: "nodes-not-shared" } | { code: "job-not-found"; id: string } | { code: "job-over" } | { code: "approval-already-resolved" } | { code: "nothing-to-undo" } | { code: "not-recoverable"; id: string; directory: string } | { code: "agent-running"; id: string } | { code: "attempt-running"; attempt: number; task: string } | { code: "preview-failed"; directory?: string | undefined; reason: string } | { code: "request-empty" } | { code: "request-starts-with-tool" } | { code: "request-orphaned-tool"; message?: number | undefined; toolCallId?: string | undefined } | { code: "request-unanswered-call"; message?: number | undefined; toolCallId?: string | undefined } | { code: "model-rate-limit"; reason: string | Shared15 } | { code: "model-quota"; reason: string | Shared15 } | { code: "model-overloaded"; reason: string | Shared15 } | { code: "model-context-too-long"; reason: string | Shared15 } | { code: "model-bad-request"; reason: string | Shared15 } | { code: "model-auth"; reason: string | Shared15 } | { code: "model-network"; reason: string | Shared15 } | { code: "model-unknown-model"; reason: string | Shared15 } | { code: "model-other"; reason: string | Shared15 } | { code: "no-message-model" } | { code: "message-model-changed"; model: string } | { code: "commit-message-failed"; model: string; reason: string | Shared15 } | { code: "base-not-found"; branch: string } | { code: "no-commit" } | { code: "no-branch-name"; prefix: string } | { code: "objects-missing" } | { code: "folder-gone"; directory: string } | { code: "folder-replaced"; directory: string; branch?: string | undefined } | { code: "worktree-gone"; branch?: string | undefined } | { code: "worktree-not-restored"; branch?: string | undefined; reason: string } | { code: "outside-worktrees"; directory: string } | { code: "path-not-found"; path: string } | { code: "path-not-absolute"; path: string } | { code: "path-not-a-folder"; path: string } | { code: "path-unreadable"; path: string } | { code: "path-unusable"; path: string; reason: string } | { code: "git-missing" } | { code: "repository-owned-by-another"; path: string } | { code: "bare-repository"; path: string } | { code: "repository-format-unsupported"; path: string; extension?: string | undefined } | { code: "not-a-repository"; path: string } | { code: "files-unreadable"; directory: string } | { code: "diff-failed"; directory: string } | { code: "export-page-missing" } | { code: "not-an-export" } | { code: "export-other-version"; format: string } | { code: "export-not-json"; reason: string } | { code: "export-cut-off" } | { code: "export-field-invalid"; field: string; issue: Shared3 } | { code: "export-part-too-large"; field: string; maxLength: number } | { code: "export-too-deep"; field: string } | { code: "folder-not-found"; directory: string } | { code: "file-not-found"; path: string } | { code: "host-unreachable"; host: string } | { code: "host-removed"; host: string } | { code: "host-busy"; host: string } | { code: "host-draining"; host: string } | { code: "host-not-found"; host: string } | { code: "host-needs-worktree"; host: string } | { code: "host-lacks-agent"; host: string; agent: string } | { code: "already-on-host" } | { code: "attempt-not-mirrored"; host: string } | { code: "worker-code-not-valid" } | { code: "worker-refused" } | { code: "terminals-off" } | { code: "terminals-unavailable"; reason: string } | { code: "too-many-terminals"; limit: number } | { code: "terminal-not-found"; id: string } | { code: "no-free-port" } | { code: "dev-script-missing" } | { code: "dev-script-unusable"; reason: Shared15 | Shared8 } | { code: "dev-in-sandbox" } | { code: "config-unreadable"; path: string; reason: string } | { code: "config-not-json"; path: string; reason: string } | { code: "config-field-invalid"; path: string; field: string; issue: Shared3 | Shared4 } | { code: "config-unusable"; reason: string | { code: "config-unreadable"; path: string; reason: string } | { code: "config-not-json"; path: string; reason: string } | { code: "config-field-invalid"; path: string; field: string; issue: Shared3 | Shared4 } } | { code: "config-not-saved"; path: string; reason: string } | { code: "scripts-changed" } | { code: "agent-settings-changed" } | { code: "hooks-changed" } | { code: "git-lfs-changed" } | { code: "scripts-not-trusted" } | { code: "agent-settings-not-trusted" } | { code: "hooks-not-trusted" } | { code: "git-lfs-not-trusted" } | { code: "mcp-trust-unreadable"; path: string } | { code: "mcp-server-not-found"; server: string } | { code: "mcp-server-changed"; server: string } | { code: "mcp-server-invalid"; server: string; reason: Shared8 } | { code: "mcp-server-not-trusted"; server: string } | { code: "mcp-server-failed"; server: string; notices: (Shared15)[] } | { code: "value-invalid" } | { code: "value-missing" } | { code: "value-wrong-type"; expected: string } | { code: "value-empty" } | { code: "value-too-short"; characters: number } | { code: "value-too-long"; characters: number } | { code: "list-too-short"; items: number } | { code: "list-too-long"; items: number } | { code: "number-too-small"; least: number } | { code: "number-too-large"; most: number } | { code: "value-not-allowed"; allowed: (string)[] } | { code: "unknown-keys"; keys: (string)[] } | { code: "value-wrong-format"; format: string } | { code: "server-name-invalid" } | { code: "key-invalid" } | { code: "path-outside-repository" } | { code: "endpoint-name-invalid" } | { code: "variable-name-invalid" } | { code: "command-missing" } | { code: "native-agent-elsewhere" } | { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } | { code: "mcp-transport-outdated" } | { code: "mcp-type-unknown"; type: string } | { code: "mcp-servers-not-an-object" } | { code: "mcp-servers-too-many"; count: number; max: number } | { code: "mcp-server-unusable"; server: string; field: string; reason: { code: "mcp-transport-outdated" } | { code: "mcp-type-unknown"; type: string } | Shared3 } | { code: "mcp-variables-missing"; server: string; variables: (string)[] } | { code: "mcp-url-invalid"; server: string } | { code: "file-is-link" } | { code: "file-unreadable"; error: string } | { code: "file-not-regular" } | { code: "file-too-large"; maxBytes: number } | { code: "file-missing" } | { code: "file-not-json" } | { code: "file-without-servers" } | { code: "field-invalid"; field: string; issue: Shared3 } | Shared5 | { code: "in-repository-file"; path: string; problem: Shared4 } | { code: "scripts-untrustable"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "mcp-server-untrustable"; server: string; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "settings-untrustable"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "settings-link"; path: string } | { code: "settings-too-many"; max: number } | Shared6 | { code: "hooks-untrustable"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | Shared7 | { code: "git-settings-included" } | { code: "lfs-server-missing" } | { code: "lfs-protocol-unsupported" } | { code: "copy-too-much"; pattern: string } | { code: "copy-outside"; path: string };
export type Command = { id?: string | undefined; type: "SEND_MESSAGE"; taskId: TaskId; attemptId?: AttemptId | undefined; message: string; images?: (ImagePart | string)[] | null | undefined; steer?: boolean | undefined } | { id?: string | undefined; type: "STOP_EXECUTION"; taskId: TaskId; attemptId?: AttemptId | undefined } | { id?: string | undefined; type: "RETRY_EXECUTION"; taskId: TaskId; attemptId?: AttemptId | undefined; executionId: ExecutionId } | { id?: string | undefined; type: "RESUME_QUEUE"; taskId: TaskId; attemptId?: AttemptId | undefined };
export type CommandResult = { executionId?: ExecutionId | undefined; queued?: QueuedMessageId | undefined };
export type CommentId = string;
export type Commit = { message: string; files?: ({ path: string; hunks?: ({ oldStart: number; oldLines: number; newStart: number; newLines: number })[] | undefined; contentId?: string | undefined })[] | undefined };
export type CommitMessageModel = { model: string | null };
export type Committed = { commit: string; files: number; hooks: { outcome: "none" | "ran" | "not-trusted" | "changed"; output: string } };
export type CompressionSettings = { enabled: boolean; auto: boolean; triggerMessages: number | null; triggerRatio: number; keepRecentTurns: number; model: ModelId | null };
export type ConflictSides = { path: string; base: string | null; ours: string | null; theirs: string | null; current: string | null; kinds: { base: "text" | "binary" | "large" | "special" | "none"; ours: "text" | "binary" | "large" | "special" | "none"; theirs: "text" | "binary" | "large" | "special" | "none"; current: "text" | "binary" | "large" | "special" | "none" }; currentId: string };
export type ContentHash = string;
export type ConversationMessage = { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "text"; metadata?: Shared22 | undefined } | Shared23 | { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "tool_use"; metadata: { executionId?: ExecutionId | undefined; toolName: string; toolUseId?: string | undefined; input: JsonValue; parentToolUseId?: string | undefined } } | { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "tool_result"; metadata: Shared24 } | { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "tool_execution"; metadata: Shared25 | Shared26 } | Shared27 | { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "notice"; metadata?: { executionId?: ExecutionId | undefined; text?: CodedText | undefined; code?: string | undefined } | undefined } | { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "summary"; metadata: { executionId?: ExecutionId | undefined; text?: CodedText | undefined; summaryId: string; messageCount: number } };
export type ConversationPage = { messages: (ConversationMessage)[]; isExecuting: boolean; currentExecution?: Execution | undefined; canSendMessage: boolean; attemptId: AttemptId | null; queue: (QueuedMessage)[]; queuePause: QueuePause | null; approvals: (Approval)[]; lastSeq: Sequence; hasMore: boolean; hasNewer?: boolean | undefined };
export type CreateApiToken = { name: string; scope: TokenScope; projectIds?: (ProjectId)[] | null | undefined; days?: number | undefined; limits?: { depth?: number | null | undefined; starts?: number | null | undefined; costUsd?: number | null | undefined } | undefined };
export type CreateAttempt = { id?: AttemptId | undefined; agent: AgentId; model?: ModelId | undefined; isolation?: "worktree" | "in-place" | undefined; baseBranch?: string | undefined; permissionMode?: PermissionMode | undefined; continueFrom?: AttemptId | undefined; forkFrom?: { executionId: ExecutionId; at: "start" | "end" } | undefined; systemPrompt?: string | undefined; session?: string | undefined; host?: string | undefined; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined };
export type CreateComment = { id?: CommentId | undefined; path?: string | undefined; side?: "old" | "new" | undefined; startLine?: number | undefined; endLine?: number | undefined; body: string };
export type CreateInvitation = { email?: string | undefined; isAdmin?: boolean | undefined; projects?: (Membership)[] | undefined; days?: number | undefined };
export type CreateLaunchCode = { redirectFile?: boolean | undefined };
export type CreateProject = { name?: string | undefined; path: string };
export type CreateSession = { code: string };
export type CreateTask = { projectId: ProjectId; title: string; description?: string | undefined; status?: TaskStatus | undefined; priority?: "none" | "low" | "medium" | "high" | "urgent" | undefined; tags?: (string)[] | undefined; position?: number | undefined; id?: TaskId | undefined };
export type CreateTemplate = { projectId: ProjectId; name: string; prompt: string; title?: string | null | undefined; agent?: AgentId | null | undefined; model?: ModelId | null | undefined; permissionMode?: PermissionMode | null | undefined; sandbox?: "off" | "workspace" | null | undefined; baseBranch?: string | null | undefined; id?: TemplateId | undefined };
export type CreateTokenOfUser = { name: string; scope: TokenScope; projectIds?: (ProjectId)[] | null | undefined; days?: number | undefined; limits?: { depth?: number | null | undefined; starts?: number | null | undefined; costUsd?: number | null | undefined } | undefined; userId?: UserId | undefined };
export type CreateUser = { email: string; name: string; isAdmin?: boolean | undefined; password?: string | undefined };
export type CreatedApiToken = { id: ApiTokenId; userId: UserId | null; executionId: ExecutionId | null; name: string; scope: TokenScope; projectIds: (ProjectId)[] | null; limits: AgentLimits; createdAt: Timestamp; expiresAt: Timestamp; lastUsedAt: Timestamp | null; token: string };
export type CreatedInvitation = { id: InvitationId; email: string | null; isAdmin: boolean; projects: (Membership)[]; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; expiresAt: Timestamp; usedBy: UserId | null; url: string };
export type DeletionQuery = { discard?: "true" | "false" | undefined };
export type DeletionResult = { keptBranches: (string)[]; cleanups: ({ attemptId: AttemptId; exitCode: number | null; timedOut: boolean; output: string })[] };
export type DevServer = { state: "none" | "starting" | "listening" | "exited" | "stopped"; port: number | null; url: string | null; startedAt: Timestamp | null; exit: TerminalExit | null; run: TerminalId | null };
export type DiffStat = { files: number; additions: number; deletions: number; uncommitted?: number | undefined };
export type Discard = { files: ({ path: string; hunks?: ({ oldStart: number; oldLines: number; newStart: number; newLines: number })[] | undefined; contentId?: string | undefined })[] };
export type DrainProgress = { agents: number; following: number; jobs: number; waiting: number; workers: number };
export type EndedItem = { kind: "ended"; id: ExecutionId; taskId: TaskId; attemptId: AttemptId; clearedAt: Timestamp | null; execution: Shared28; race?: { raceId: RaceId; passed: number; total: number } | undefined };
export type EnrolWorker = { code: string; credential: string; report: { name: string; tags: (string)[]; capacity: number; version: string } };
export type Execution = Shared30 | Shared28;
export type ExecutionEndCode = "step-limit" | "cost-limit" | "not-answered" | "budget" | "provider-limit";
export type ExecutionId = string;
export type ExportFormat = "html" | "json" | "markdown";
export type ExportRequest = { format?: ExportFormat | undefined; include?: { thinking?: boolean | undefined; messages?: boolean | undefined; changes?: boolean | undefined } | undefined; redaction?: { keep?: (string)[] | undefined; words?: (string)[] | undefined } | null | undefined };
export type Fallback = { agent: AgentId; model: ModelId | null };
export type FileContent = { path: string; size: number; kind: "text"; content: string; truncated: boolean } | { path: string; size: number; kind: "image"; mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp"; data: string } | { path: string; size: number; kind: "binary" };
export type FileMatches = { paths: (string)[] };
export type FileMode = "100644" | "100755" | "120000" | "160000";
export type FolderListing = { path: string; entries: ({ name: string; path: string; kind: "folder" | "file" })[]; truncated: boolean };
export type FolderMatches = { folders: ({ name: string; path: string; isRepository: boolean })[]; truncated: boolean };
export type ForgeAccess = { host: string; kind: ForgeKind; source: "none" | "environment" | "settings"; isSet: boolean };
export type ForgeKind = "github" | "gitlab" | "gitea";
export type FoundIds = { ids: (TaskId | AttemptId)[]; truncated: boolean };
export type FoundMessages = { messageIds: (string)[]; truncated: boolean };
export type GeneralSettings = { mergeMode: MergeMode; toolTimeoutMinutes: number; maxSteps: number; compression: CompressionSettings; limits: RunningLimits; budgets: BudgetSettings; parking: ParkingSettings; pullRequestRounds: number; importAs: "done" | "archived"; importWatch: boolean; systemPrompt: string; agentLimits: AgentLimits; resources: ResourceSettings; sandbox: SandboxSettings; retention: RetentionSettings };
export type GitConflict = { method: "rebase" | "merge"; onto: string; baseBranch: string; applying: { commit: string; subject: string; left: number } | null; files: ({ path: string; kind: "both-changed" | "both-added" | "deleted-by-us" | "deleted-by-them" | "other"; binary: boolean; isResolved: boolean })[]; startedAt: Timestamp };
export type GitHooks = { hooks: ({ name: string; text: string })[]; settings: (string)[]; files: (string)[]; changes: ({ path: string; change: "added" | "changed"; patch: string | null })[]; hash: ContentHash | null; trust: "none" | "trusted" | "changed"; problem?: string | undefined; problemText?: Shared8 | undefined };
export type GitLfs = { isUsed: boolean; url: string | null; program: string | null; files: (string)[]; changes: ({ path: string; change: "added" | "changed"; patch: string | null })[]; hash: ContentHash | null; trust: "none" | "trusted" | "changed"; problem?: string | undefined; problemText?: Shared8 | undefined };
export type GitState = { branch: string | null; head: string | null; base: { branch: string | null; tip: string | null; commit: string | null }; ahead: number | null; behind: number | null; dirty: { files: number; paths: (string)[] }; conflict: GitConflict | null; landing: Landing | null; safetyRefs: (SafetyRef)[]; remote: { name: string; url: string; pushed: string | null } | null; pullRequest: PullRequest | null; obstacles: { [name: string]: { text: Shared31; command?: string | undefined } } };
export type GrantId = string;
export type Health = { status: "ready" | "degraded"; version: string; storage: "sqlite" | "postgres"; problem?: Shared32 | undefined };
export type HistoryMessage = { id: MessageId; executionId: ExecutionId; body: MessageBody; isShortened: boolean; model?: string | undefined; createdAt: Timestamp; size: { tokens: number; isEstimate: boolean }; isInherited: boolean; isLive: boolean; isSummarized: boolean; pruned: ({ toolCallId: string; before: number; after: number })[] };
export type HistoryPage = { offset: number; messages: (HistoryMessage)[]; total: number; settled: number; compressionId: string; summary: { id: string; startMessageId: MessageId; summary: string; messageCount: number; originalTokenCount: number; summaryTokenCount: number; model: string; createdAt: Timestamp } | null };
export type HostId = string;
export type ImagePart = { type: "image"; mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp"; data: string };
export type ImportFileQuery = { projectId: ProjectId };
export type ImportRun = { id: string; source: "claude-code" | "codex" | "gemini" | "opencode" | "vibe-kanban" | "skein"; state: "waiting" | "running" | "done" | "stopped" | "failed"; sessions: number; finished: number; bytes: number; finishedBytes: number; lines: number; messages: number; added: number; updated: number; unchanged: number; problems: ({ code: "unreadable-file" | "unreadable-line" | "long-line" | "large-file" | "unknown-format" | "busy-database" | "unreadable-database" | "not-saved"; file: string; sessionId?: string | undefined; line?: number | undefined; count?: number | undefined; detail?: string | undefined })[]; furtherProblems: number; taskId?: TaskId | undefined; startedAt: Timestamp; endedAt: Timestamp | null };
export type ImportRuns = { runs: (ImportRun)[] };
export type ImportSources = { sources: (Shared34)[] };
export type InboxItem = EndedItem | { kind: "feedback"; id: AttemptId; taskId: TaskId; attemptId: AttemptId; clearedAt: Timestamp | null; number: number; url: string; failedChecks: (string)[]; changesRequestedBy: (string)[]; addedAt: Timestamp };
export type Invitation = { id: InvitationId; email: string | null; isAdmin: boolean; projects: (Membership)[]; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; expiresAt: Timestamp; usedBy: UserId | null };
export type InvitationId = string;
export type InviteToProject = { email?: string | undefined; role: "viewer" | "member" | "owner"; days?: number | undefined };
export type InviteWorker = { name?: string | undefined };
export type Job = { id: JobId; name: string; key: string | null; data: JsonValue; state: "waiting" | "running" | "done" | "failed" | "cancelled"; runAt: Timestamp; tries: number; maxTries: number; backoffMs: number; createdAt: Timestamp; startedAt: Timestamp | null; endedAt: Timestamp | null; error: string | null; nodeId: NodeId | null };
export type JobId = string;
export type JobList = { jobs: (Job)[]; schedules: (JobSchedule)[] };
export type JobSchedule = { name: string; key: string; data: JsonValue; cron: string; timeZone: string; missed: "skip" | "once"; nextRunAt: Timestamp; lastRunAt: Timestamp | null; missedRuns: number; lastMissedAt: Timestamp | null };
export type JsonValue = unknown;
export type LandRequest = { method?: "fast-forward" | "squash" | "merge" | undefined; message?: string | undefined };
export type Landing = { method: "fast-forward" | "squash" | "merge"; branch: string; commit: string; previous: string; head: string; landedAt: Timestamp; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined };
export type LastClean = { run: CleanRun | null };
export type LastEnd = { executionId: ExecutionId; status: "success" | "failed" | "cancelled" | "interrupted"; endedAt: Timestamp };
export type LaunchCode = { url: string; redirectFile?: string | undefined };
export type ListedGrant = { id: GrantId; projectId: ProjectId; grant: PermissionGrant; createdAt: Timestamp; isInEffect: boolean };
export type ListedSession = { id: UserSessionId; userId: UserId; address: string; userAgent: string; createdAt: Timestamp; expiresAt: Timestamp; lastUsedAt: Timestamp; isCurrent: boolean };
export type ListedTask = { id: TaskId; projectId: ProjectId; title: string; description: string; status: TaskStatus; priority: "none" | "low" | "medium" | "high" | "urgent"; tags: (string)[]; position: number; archived: boolean; activeAttemptId: AttemptId | null; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; updatedAt: Timestamp; activity: Shared35; isShortened?: true | undefined };
export type Logout = { everywhere?: boolean | undefined };
export type McpServerDefinition = { type: "stdio"; name: McpServerName; command: string; args: (string)[]; env: { [name: string]: string } } | { type: "http"; name: McpServerName; url: string; headers: { [name: string]: string } };
export type McpServerHash = string;
export type McpServerInfo = { name: string; source: "config" | "project"; state: "trusted" | "new" | "changed" | "overridden"; hash: McpServerHash; definition: McpServerDefinition; files: (string)[]; changes: ({ path: string; change: "added" | "changed"; patch: string | null })[]; problem?: string | undefined; problemText?: Shared8 | undefined; trustedTools?: (string)[] | undefined };
export type McpServerList = { servers: (McpServerInfo)[]; problems: (string)[]; problemTexts: (Shared8)[] };
export type McpServerName = string;
export type Me = { team: boolean; user: User | null; isAdmin: boolean; scope?: TokenScope | undefined; projects: (Membership)[] };
export type Member = { user: { id: UserId; name: string; email: string; isActive: boolean }; role: "viewer" | "member" | "owner" };
export type Membership = { projectId: ProjectId; role: "viewer" | "member" | "owner" };
export type MergeMode = "live" | "on-complete" | "off";
export type MessageAdded = { type: "message:added"; taskId: TaskId; attemptId: AttemptId; message: ConversationMessage };
export type MessageBody = { role: "system"; content: string } | { role: "user"; content: string | ({ type: "text"; text: string } | ImagePart)[] } | Shared36 | { role: "tool"; content: ({ type: "tool-result"; toolCallId: string; toolName: string; input: JsonValue; result: string | ({ type: "text"; text: string } | ImagePart)[]; isError?: boolean | undefined })[] };
export type MessageId = string;
export type ModelId = string;
export type MoveAttempt = { host: string | null };
export type MoveQueuedMessage = { before: QueuedMessageId | null };
export type MoveWaitingExecution = { before: ExecutionId | null };
export type NextRequest = Shared37 | { type: "transcript"; attemptId: AttemptId; agent: AgentId; agentName: string; transcript: string | null; tokens: number };
export type Node = { id: NodeId; name: string; version: string; state: "active" | "stopped" | "lost" | "removed"; isOwn: boolean; isDraining: boolean; drain: DrainProgress | null; canStop: boolean; startedAt: Timestamp; seenAt: Timestamp; runningExecutions: number };
export type NodeId = string;
export type NodeList = (Node)[];
export type OpenAttempt = { attemptId: AttemptId; executionId: ExecutionId | null; startedAt: Timestamp | null; wait?: { for: "limit"; since: Timestamp; position: number } | { for: "budget"; since: Timestamp; reached: ReachedBudget; isPaused: boolean } | Shared29 | { for: "server"; since: Timestamp; name: string } | undefined; tools: ({ messageId: string; content: string; summary: ToolSummary | string })[]; approvals: (ApprovalId)[]; queued: number; queuePaused: boolean };
export type OpenPullRequest = { title?: string | undefined; body?: string | undefined; base?: string | undefined; draft?: boolean | undefined };
export type OpenedPullRequest = { outcome: "created" | "updated"; pullRequest: PullRequest; hooks: { outcome: "none" | "ran" | "not-trusted" | "changed"; output: string } } | { outcome: "pushed"; newPullRequestUrl: string | null; hooks: { outcome: "none" | "ran" | "not-trusted" | "changed"; output: string } };
export type Overview = { lastSeq: Sequence; projects: (Project)[]; approvals: (Approval)[]; inbox: (InboxItem)[]; board: { projectId: ProjectId; tasks: (ListedTask)[] } | null; task: TaskOverview | null };
export type OwnedKey = { name: OwnedKeyName; isSet: boolean; updatedAt: Timestamp | null };
export type OwnedKeyName = "anthropic" | "openai" | "gemini" | "claude-code";
export type ParkingSettings = { resume: boolean; onOverload: boolean; perProject: { [name: string]: { resume?: boolean | undefined; onOverload?: boolean | undefined; fallbacks?: (Fallback)[] | undefined } } };
export type PermissionGrant = { type: "command"; tool: string; command: string } | { type: "read-only-command"; tool: string; program: string } | { type: "edits"; tool: string } | { type: "origin"; tool: string; origin: string } | { type: "tool"; tool: string };
export type PermissionMode = "plan" | "ask" | "accept-edits" | "full";
export type PlanApproval = { mode: WorkingMode; text?: string | undefined };
export type PreviewRedaction = { include?: { thinking?: boolean | undefined; messages?: boolean | undefined; changes?: boolean | undefined } | undefined; words?: (string)[] | undefined };
export type Problem = { type: string; title: string; status: number; detail: string; code: string; cause?: "disk-full" | "out-of-inodes" | "quota-exceeded" | "read-only" | "no-permission" | "too-many-open-files" | "busy" | "damaged" | "database-missing" | "input-output" | "database-unreachable" | "database-rejected" | "database-read-only" | "database-disk-full" | "database-overloaded" | "database-in-use" | "lease-lost" | "other" | undefined; command?: string | undefined; errors?: ({ path: string; message: string; text?: Shared3 | undefined })[] | undefined };
export type Project = { id: ProjectId; name: string; path: string; systemPrompt: string; autoCommit?: boolean | undefined; runChecks?: boolean | undefined; agentAccess?: boolean | undefined; nodeId?: NodeId | undefined; createdAt: Timestamp; updatedAt: Timestamp };
export type ProjectId = string;
export type ProjectScripts = { setup: string | null; cleanup: string | null; timeoutSeconds: number | null; check: string | null; checkTimeoutSeconds: number | null; dev: string | null; copy: (string)[]; hash: ContentHash | null; trust: "none" | "trusted" | "changed"; files: (string)[]; changes: ({ path: string; change: "added" | "changed"; patch: string | null })[]; problem?: string | undefined; problemText?: Shared8 | undefined };
export type ProviderKey = { name: ProviderName; label: string; source: "none" | "settings" | "environment"; isSet: boolean; variable: string };
export type ProviderName = "anthropic" | "openai" | "gemini";
export type PullRequest = { number: number; url: string; title: string; body: string; state: "open" | "draft" | "merged" | "closed"; head: string; headCommit: string; base: string; mergeable: "yes" | "conflict" | "blocked" | "unknown"; checks: ({ id: string; name: string; state: "pending" | "success" | "failure" | "neutral"; url: string | null; summary: string })[]; reviews: ({ id: string; author: string; isMember: boolean; state: "commented" | "approved" | "changes-requested"; body: string; path: string | null; line: number | null; url: string | null; createdAt: Timestamp })[]; forge: ForgeKind; host: string; repository: string; unsent: { checks: (string)[]; reviews: (string)[] }; automaticRounds: number; problem: Shared38 | null; checkedAt: Timestamp };
export type PullRequestPlan = { pullRequest: PullRequest | null; title: string; body: string; base: string | null; target: { host: string; repository: string; forge: ForgeKind | null; credential: "environment" | "cli" | "settings" | null; signIn: { variable: string; command: string | null } | null } | null };
export type PushRequest = { remote?: string | undefined };
export type Pushed = { remote: string; branch: string; commit: string; newPullRequestUrl: string | null; hooks: { outcome: "none" | "ran" | "not-trusted" | "changed"; output: string } };
export type QuarantineList = { entries: ({ id: ExecutionId; state: "quarantined" | "running"; bytes: number; startedAt: Timestamp; recoverable: boolean; projectId?: ProjectId | undefined; projectName?: string | undefined; taskTitle?: string | undefined; agent?: AgentId | undefined; message?: string | undefined })[] };
export type QueuePause = { reason: "stopped" | "failed" | "interrupted" | "limit"; pausedAt: Timestamp };
export type QueueState = { queue: (QueuedMessage)[]; queuePause: QueuePause | null };
export type QueuedMessage = { id: QueuedMessageId; taskId: TaskId; attemptId: AttemptId; message: string; images: (ImagePart)[]; steer: boolean; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp };
export type QueuedMessageId = string;
export type RaceId = string;
export type RaceTask = { id?: string | undefined; message: string; images?: (ImagePart | string)[] | null | undefined; attempts: ({ agent: AgentId; model?: ModelId | undefined; baseBranch?: string | undefined; permissionMode?: PermissionMode | undefined; systemPrompt?: string | undefined; host?: string | undefined; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined })[]; budget?: Budget | undefined };
export type ReachedBudget = { scope: BudgetScope; measure: BudgetMeasure; spent: number; limit: number; more: number; isPartial: boolean };
export type ReadInvitation = { code: string };
export type RecoveredExecution = { executionId: ExecutionId; attemptId: AttemptId; taskId: TaskId };
export type RedactionPreview = { findings: (Shared39)[]; more: number };
export type RequestProvider = "anthropic" | "openai-responses" | "openai-chat" | "gemini" | "scripted";
export type ResolveConflict = { action: "use"; path: string; side: "ours" | "theirs" } | { action: "write"; path: string; content: string; currentId?: string | undefined } | { action: "mark-resolved"; path: string } | { action: "finish" } | { action: "abort" } | { action: "agent"; id: string };
export type ResourceSettings = { memoryMb: number | null; processes: number; perProject: { [name: string]: { memoryMb?: number | null | undefined; processes?: number | undefined } } };
export type Restore = { executionId: ExecutionId; to: "before" | "after" } | { ref: string };
export type Restored = { paths: (string)[]; safetyRef: SafetyRef };
export type RetentionSettings = { worktreeDays: number; sandboxHomeDays: number; executionLogDays: number };
export type Review = { comments: (ReviewComment)[]; viewed: ({ path: string; contentId: string })[] };
export type ReviewComment = { id: CommentId; taskId: TaskId; attemptId: AttemptId; path: string | null; side: "old" | "new"; startLine: number | null; endLine: number | null; quote: string; body: string; state: "draft" | "sent" | "resolved"; executionId: ExecutionId | null; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; updatedAt: Timestamp; isOutdated: boolean };
export type RunningLimits = { running: number | null; perAgent: { [name: string]: number }; perProject: { [name: string]: number } };
export type SafetyRef = { ref: string; commit: string; before: "discard" | "restore" | "update" | "land" | "resolve" | "abort"; createdAt: Timestamp };
export type SandboxSettings = { default: "off" | "workspace"; hosts: (string)[]; perProject: { [name: string]: { hosts: (string)[] } } };
export type SearchHit = { kind: "task" | "message"; source: "title" | "description" | "user" | "assistant" | "thinking" | "tool" | "other"; projectId: ProjectId; taskId: TaskId; taskTitle: string; attemptId?: AttemptId | undefined; messageId?: string | undefined; at: Timestamp; excerpt: string; ranges: ([number, number])[] };
export type SearchResult = { hits: (SearchHit)[] };
export type SendPullRequestFeedback = { id: string; message?: string | undefined };
export type SendReview = { id: string; message?: string | undefined };
export type Sequence = number;
export type SetForgeToken = { kind: ForgeKind; token: string };
export type SetMember = { role: "viewer" | "member" | "owner" };
export type SetProviderKey = { apiKey: string };
export type SetTaskBudget = { budget: Budget | null };
export type SetViewed = { path: string; contentId: string; viewed: boolean };
export type Settings = { providers: (ProviderKey)[]; defaults: AttemptDefaults; general: GeneralSettings; forges: (ForgeAccess)[]; sandboxSupport: { state: "supported" } | { state: "system" | "not-installed" } | { state: "not-permitted"; detail: string } };
export type ShownInvitation = { email: string | null; isAdmin: boolean; expiresAt: Timestamp };
export type SignIn = { email: string; password: string };
export type SignInOptions = { team: boolean; needsSetup: boolean; providers: ({ id: string; name: string })[] };
export type SkeinEvent = { type: "execution:started"; taskId: TaskId; attemptId: AttemptId; executionId: ExecutionId; execution: Execution } | { type: "execution:changed"; taskId: TaskId; attemptId: AttemptId; executionId: ExecutionId; execution: Execution } | { type: "execution:completed"; taskId: TaskId; attemptId: AttemptId; executionId: ExecutionId; status: "success" | "failed" | "cancelled" | "interrupted"; execution: Execution } | MessageAdded | Shared40 | { type: "task:status-changed"; taskId: TaskId; previousStatus: TaskStatus; newStatus: TaskStatus; task: Task } | { type: "task:attempt-created"; taskId: TaskId; attempt: Attempt } | { type: "task:attempt-updated"; taskId: TaskId; attemptId: AttemptId; updates: Shared41 } | { type: "approval:requested"; taskId: TaskId; attemptId: AttemptId; approval: Approval } | { type: "approval:resolved"; taskId: TaskId; attemptId: AttemptId; approval: Approval } | { type: "queue:changed"; taskId: TaskId; attemptId: AttemptId; queue: (QueuedMessage)[]; queuePause: QueuePause | null } | { type: "inbox:changed"; taskId: TaskId; attemptId: AttemptId; item: InboxItem } | { type: "review:changed"; taskId: TaskId; attemptId: AttemptId } | { type: "git:changed"; taskId: TaskId; attemptId: AttemptId } | Shared42 | { type: "task:created"; taskId: TaskId; task: Task } | { type: "task:updated"; taskId: TaskId; task: Task } | { type: "task:deleted"; taskId: TaskId; projectId: ProjectId } | { type: "access:changed"; userId: UserId } | { type: "project:created"; projectId: ProjectId; project: Project } | { type: "project:updated"; projectId: ProjectId; project: Project } | { type: "project:deleted"; projectId: ProjectId };
export type SlashCommand = { name: string; description: string; source: "built-in" | "project" };
export type StartClean = { ids: (string)[]; olderThanDays: number };
export type StartImport = { source: "claude-code" | "codex" | "gemini" | "opencode" | "vibe-kanban"; sessions?: (string)[] | undefined; since?: Timestamp | undefined };
export type StartOidc = { invitation?: string | undefined };
export type StartRace = { id: string; message: string; images?: (ImagePart | string)[] | null | undefined; attempts: ({ agent: AgentId; model?: ModelId | undefined; baseBranch?: string | undefined; permissionMode?: PermissionMode | undefined; systemPrompt?: string | undefined; host?: string | undefined; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined })[]; budget?: Budget | undefined; task: { id: TaskId } | { projectId: ProjectId; title?: string | undefined; description?: string | undefined; priority?: "none" | "low" | "medium" | "high" | "urgent" | undefined; tags?: (string)[] | undefined } };
export type StartTask = { id: string; task: { id: TaskId } | { projectId: ProjectId; title?: string | undefined; description?: string | undefined; priority?: "none" | "low" | "medium" | "high" | "urgent" | undefined; tags?: (string)[] | undefined }; attempt?: Shared43 | undefined; message: string; images?: (ImagePart | string)[] | null | undefined; budget?: Budget | undefined };
export type StartedRace = { task: Task; raceId: RaceId; attempts: (Attempt)[]; executionIds: (ExecutionId)[]; after: Sequence };
export type StartedTask = { task: Task; attempt: Attempt; executionId: ExecutionId; after: Sequence };
export type StorageUse = { database: number; executionLogs: number; outputs: number; worktrees: number; sandboxHomes: number; quarantine: number; deleting: { messages: number; worktrees: number }; other: number; projects: ({ projectId: ProjectId; worktrees: number; executionLogs: number; outputs: number })[] };
export type StoredMessage = { id: MessageId; attemptId: AttemptId; executionId: ExecutionId; position: number; body: AcceptedBody; tokens?: number | undefined; model?: string | undefined; usage?: Usage | undefined; createdAt: Timestamp };
export type SuggestCommitMessage = { paths?: (string)[] | undefined; model?: ModelId | undefined };
export type SuggestedCommitMessage = { message: string; model: string };
export type Task = { id: TaskId; projectId: ProjectId; title: string; description: string; status: TaskStatus; priority: "none" | "low" | "medium" | "high" | "urgent"; tags: (string)[]; position: number; archived: boolean; activeAttemptId: AttemptId | null; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; updatedAt: Timestamp };
export type TaskBudgets = { taskId: TaskId; own: Budget | null; states: ({ scope: BudgetScope; budget: Budget; spent: { costUsd: number | null; tokens: number; minutes: number; isPartial: boolean } })[]; asking: ExecutionId | null };
export type TaskId = string;
export type TaskOverview = { task: TaskSummary; attempts: (AttemptSummary)[]; conversation: ConversationPage; executions: (Execution)[] };
export type TaskStatus = "todo" | "in-progress" | "in-review" | "done" | "cancelled";
export type TaskSummary = { id: TaskId; projectId: ProjectId; title: string; description: string; status: TaskStatus; priority: "none" | "low" | "medium" | "high" | "urgent"; tags: (string)[]; position: number; archived: boolean; activeAttemptId: AttemptId | null; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; updatedAt: Timestamp; activity: Shared35; isShortened?: true | undefined };
export type Template = { id: TemplateId; projectId: ProjectId; name: string; prompt: string; title: string | null; agent: AgentId | null; model: ModelId | null; permissionMode: PermissionMode | null; sandbox: "off" | "workspace" | null; baseBranch: string | null; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt: Timestamp; updatedAt: Timestamp };
export type TemplateId = string;
export type Terminal = { id: TerminalId; number: number; startedAt: Timestamp; sandboxed: boolean; exit: TerminalExit | null };
export type TerminalExit = { exitCode: number | null; signal: string | null; endedAt: Timestamp; lost?: true | undefined; startError?: string | undefined };
export type TerminalId = string;
export type TerminalInput = { data: string };
export type TerminalList = { terminals: (Terminal)[]; limit: number };
export type TerminalSize = { columns: number; rows: number };
export type Timestamp = number;
export type TodoItem = { text: string; status: "pending" | "in-progress" | "completed" | "cancelled" };
export type TokenScope = "read" | "write" | "approve" | "manage" | "admin";
export type ToolAction = "call" | "titled" | "text" | "run" | "start" | "read-output" | "stop" | "list-commands" | "read" | "write" | "update" | "delete" | "move" | "list" | "find-files" | "search" | "search-files" | "search-web" | "fetch" | "remember" | "ask" | "run-subagent" | "start-subagent" | "use-skill" | "update-todos" | "read-todos" | "add-todo" | "update-todo" | "start-todo" | "complete-todo" | "reopen-todo" | "cancel-todo" | "delete-todo" | "propose-plan" | "set-up" | "check" | "think" | "switch-mode";
export type ToolDetails = { type: "diff"; data: Shared44 } | { type: "fileList"; data: (string)[] } | { type: "commandOutput"; data: Shared45 } | { type: "searchResults"; data: { pattern: string; matches: ({ filePath: string; line?: number | undefined; text?: string | undefined })[]; total: number } } | { type: "todoList"; data: { items: (TodoItem)[]; previous?: (TodoItem)[] | undefined } } | { type: "fileContent"; data: { filePath: string; content: string; startLine: number; totalLines?: number | undefined } } | { type: "webResult"; data: { url?: string | undefined; query?: string | undefined; title?: string | undefined; content?: string | undefined; results?: ({ title: string; url: string; snippet?: string | undefined })[] | undefined } } | { type: "image"; data: { mediaType: string; data: string; filePath?: string | undefined } } | { type: "subagent"; data: { description: string; agentType?: string | undefined; prompt?: string | undefined; result?: string | undefined } } | { type: "plan"; data: { plan: string } } | { type: "question"; data: { questions: ({ header?: string | undefined; question: string; options: ({ label: string; description?: string | undefined })[]; multiple: boolean })[]; answers?: { [name: string]: JsonValue } | undefined } };
export type ToolProcessorList = { folder: string; files: ({ file: string; toolNames: (string)[]; recognises: boolean; state: "ready" | "failed" | "disabled"; error: { reason: string; at: Timestamp } | null })[] };
export type ToolSummary = { action: ToolAction; subject?: string | undefined; count?: number | undefined; total?: number | undefined; state: "running" | "completed" | "failed" | "denied" | "interrupted" | "timed-out" };
export type Totals = { executions: number; durationMs: number; usage: Usage };
export type TrustChange = { attemptId: AttemptId; attemptNumber: number; taskId: TaskId; taskTitle: string; scripts: boolean; agentSettings: boolean; hooks: boolean; mcpServers: (string)[] };
export type TrustContent = { attemptId?: AttemptId | undefined; hash: ContentHash };
export type TrustMcpServer = { attemptId?: AttemptId | undefined; hash: McpServerHash };
export type TrustPlace = { attemptId?: AttemptId | undefined };
export type UpdateAgent = { enabled: boolean };
export type UpdateAttempt = { model?: ModelId | undefined; permissionMode?: PermissionMode | undefined; agentMode?: string | null | undefined; systemPrompt?: string | undefined; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined; archived?: boolean | undefined };
export type UpdateAttemptBase = { method?: "rebase" | "merge" | undefined };
export type UpdateAttemptDefaults = { agent?: AgentId | null | undefined; model?: ModelId | null | undefined; permissionMode?: WorkingMode | null | undefined };
export type UpdateComment = { body?: string | undefined; resolved?: boolean | undefined };
export type UpdateGeneralSettings = { mergeMode?: MergeMode | undefined; toolTimeoutMinutes?: number | undefined; maxSteps?: number | undefined; compression?: { enabled?: boolean | undefined; auto?: boolean | undefined; triggerMessages?: number | null | undefined; triggerRatio?: number | undefined; keepRecentTurns?: number | undefined; model?: ModelId | null | undefined } | undefined; limits?: { running?: number | null | undefined; perAgent?: { [name: string]: number } | undefined; perProject?: { [name: string]: number } | undefined } | undefined; budgets?: Shared46 | undefined; parking?: { resume?: boolean | undefined; onOverload?: boolean | undefined; perProject?: { [name: string]: { resume?: boolean | undefined; onOverload?: boolean | undefined; fallbacks?: (Fallback)[] | undefined } } | undefined } | undefined; pullRequestRounds?: number | undefined; importAs?: "done" | "archived" | undefined; importWatch?: boolean | undefined; systemPrompt?: string | undefined; agentLimits?: { depth?: number | null | undefined; starts?: number | null | undefined; costUsd?: number | null | undefined } | undefined; resources?: { memoryMb?: number | null | undefined; processes?: number | undefined; perProject?: { [name: string]: { memoryMb?: number | null | undefined; processes?: number | undefined } } | undefined } | undefined; sandbox?: { default?: "off" | "workspace" | undefined; hosts?: (string)[] | undefined; perProject?: { [name: string]: { hosts: (string)[] } } | undefined } | undefined; retention?: { worktreeDays?: number | undefined; sandboxHomeDays?: number | undefined; executionLogDays?: number | undefined } | undefined };
export type UpdateInboxItem = { cleared: boolean };
export type UpdateMe = { name: string };
export type UpdateNode = { draining: boolean };
export type UpdateParked = { isAutomatic: boolean };
export type UpdateProject = { name?: string | undefined; systemPrompt?: string | undefined; autoCommit?: boolean | undefined; runChecks?: boolean | undefined; agentAccess?: boolean | undefined };
export type UpdateQueuedMessage = { message: string };
export type UpdateTask = { title?: string | undefined; description?: string | undefined; status?: TaskStatus | undefined; priority?: "none" | "low" | "medium" | "high" | "urgent" | undefined; tags?: (string)[] | undefined; position?: number | undefined; archived?: boolean | undefined };
export type UpdateTasks = { updates: ({ id: TaskId; changes: UpdateTask })[] };
export type UpdateTemplate = { name?: string | undefined; prompt?: string | undefined; title?: string | null | undefined; agent?: AgentId | null | undefined; model?: ModelId | null | undefined; permissionMode?: PermissionMode | null | undefined; sandbox?: "off" | "workspace" | null | undefined; baseBranch?: string | null | undefined };
export type UpdateUser = { email?: string | undefined; name?: string | undefined; isAdmin?: boolean | undefined; isActive?: boolean | undefined; password?: string | undefined };
export type UpdateWorker = { state: "active" | "draining" };
export type UpdatedAttemptBase = { outcome: "up-to-date" } | { outcome: "updated"; head: string; commits: number; safetyRef: SafetyRef } | { outcome: "conflict"; conflict: GitConflict; safetyRef: SafetyRef };
export type Usage = { inputTokens?: number | undefined; outputTokens?: number | undefined; reasoningTokens?: number | undefined; cacheReadTokens?: number | undefined; cacheWriteTokens?: number | undefined; costUsd?: number | undefined; isPartial?: true | undefined };
export type UsageReport = { days: ({ day: string; agent: AgentId; executions: number; inputTokens: number; outputTokens: number; costUsd: number | null; isPartial: boolean })[]; attempts: ({ attemptId: AttemptId; taskId: TaskId; taskTitle: string; number: number; agent: AgentId; executions: number; inputTokens: number; outputTokens: number; costUsd: number | null; isPartial: boolean })[] };
export type User = { id: UserId; email: string; name: string; isAdmin: boolean; hasPassword: boolean; createdAt: Timestamp; updatedAt: Timestamp; deactivatedAt: Timestamp | null };
export type UserId = string;
export type UserReference = { id: UserId; name: string; email: string };
export type UserSession = { id: UserSessionId; userId: UserId; address: string; userAgent: string; createdAt: Timestamp; expiresAt: Timestamp; lastUsedAt: Timestamp };
export type UserSessionId = string;
export type WaitingExecution = { execution: Execution; agent: AgentId; projectId: ProjectId };
export type Worker = { name: string; tags: (string)[]; capacity: number; version: string; agents: (AgentInfo)[]; id: HostId; state: "invited" | "active" | "draining" | "removed"; expiresAt: Timestamp | null; lastSeenAt: Timestamp | null; createdAt: Timestamp; isConnected: boolean; running: number; waiting: number; waitingExecutions: (ExecutionId)[] };
export type WorkerInvitation = { id: HostId; code: string; expiresAt: Timestamp; command: string };
export type WorkingMode = "ask" | "accept-edits" | "full";
export type WorktreePath = string;

type Shared1 = { id: CatalogueId; name: string; description: string; version: string; license?: string | undefined; repository?: string | undefined; source: "npx" | "uvx" | "program"; command: (string)[]; environment: { [name: string]: string }; programPath: string | null; download?: string | undefined; builtIn?: AgentId | undefined; added?: { agent: AgentId; version: string } | undefined; hash: string };
type Shared2 = { code: "version-timed-out"; seconds: number } | { code: "version-not-reported" } | { code: "agent-not-installed"; agent: string; install: string } | { code: "agent-command-unusable"; agent: string; program: string } | { code: "agent-launcher-missing"; agent: string; program: string } | { code: "agent-does-not-start"; agent: string; reason: string | { code: "version-timed-out"; seconds: number } | { code: "version-not-reported" }; install: string } | { code: "agent-too-old"; agent: string; version: string; least: string; install: string } | { code: "agent-program-not-found"; agent: string; program: string; download?: string | undefined } | { code: "agent-turned-off"; agent: string } | { code: "agent-removed" } | { code: "agent-not-logged-in"; agent: string; login?: { command?: string | undefined; enter?: string | undefined; variable?: string | undefined } | undefined } | { code: "no-model" } | { code: "provider-key-missing"; variable: string };
type Shared3 = { code: "value-invalid" } | { code: "value-missing" } | { code: "value-wrong-type"; expected: string } | { code: "value-empty" } | { code: "value-too-short"; characters: number } | { code: "value-too-long"; characters: number } | { code: "list-too-short"; items: number } | { code: "list-too-long"; items: number } | { code: "number-too-small"; least: number } | { code: "number-too-large"; most: number } | { code: "value-not-allowed"; allowed: (string)[] } | { code: "unknown-keys"; keys: (string)[] } | { code: "value-wrong-format"; format: string } | { code: "server-name-invalid" } | { code: "key-invalid" } | { code: "path-outside-repository" } | { code: "endpoint-name-invalid" } | { code: "variable-name-invalid" } | { code: "command-missing" } | { code: "native-agent-elsewhere" };
type Shared4 = { code: "mcp-servers-not-an-object" } | { code: "mcp-servers-too-many"; count: number; max: number } | { code: "mcp-server-unusable"; server: string; field: string; reason: { code: "mcp-transport-outdated" } | { code: "mcp-type-unknown"; type: string } | Shared3 } | { code: "mcp-variables-missing"; server: string; variables: (string)[] } | { code: "mcp-url-invalid"; server: string };
type Shared5 = { code: "repository-file-unusable"; path: string; reason: { code: "file-is-link" } | { code: "file-unreadable"; error: string } | { code: "file-not-regular" } | { code: "file-too-large"; maxBytes: number } | { code: "file-missing" } | { code: "file-not-json" } | { code: "file-without-servers" } | { code: "field-invalid"; field: string; issue: Shared3 } };
type Shared6 = { code: "settings-file-untrustable"; path: string; reason: { code: "file-is-link" } | { code: "file-unreadable"; error: string } | { code: "file-not-regular" } | { code: "file-too-large"; maxBytes: number } | { code: "file-missing" } | { code: "file-not-json" } | { code: "file-without-servers" } | { code: "field-invalid"; field: string; issue: Shared3 } };
type Shared7 = { code: "hook-untrustable"; hook: string; reason: { code: "file-is-link" } | { code: "file-unreadable"; error: string } | { code: "file-not-regular" } | { code: "file-too-large"; maxBytes: number } | { code: "file-missing" } | { code: "file-not-json" } | { code: "file-without-servers" } | { code: "field-invalid"; field: string; issue: Shared3 } };
type Shared8 = { code: "value-invalid" } | { code: "value-missing" } | { code: "value-wrong-type"; expected: string } | { code: "value-empty" } | { code: "value-too-short"; characters: number } | { code: "value-too-long"; characters: number } | { code: "list-too-short"; items: number } | { code: "list-too-long"; items: number } | { code: "number-too-small"; least: number } | { code: "number-too-large"; most: number } | { code: "value-not-allowed"; allowed: (string)[] } | { code: "unknown-keys"; keys: (string)[] } | { code: "value-wrong-format"; format: string } | { code: "server-name-invalid" } | { code: "key-invalid" } | { code: "path-outside-repository" } | { code: "endpoint-name-invalid" } | { code: "variable-name-invalid" } | { code: "command-missing" } | { code: "native-agent-elsewhere" } | { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } | { code: "mcp-transport-outdated" } | { code: "mcp-type-unknown"; type: string } | { code: "mcp-servers-not-an-object" } | { code: "mcp-servers-too-many"; count: number; max: number } | { code: "mcp-server-unusable"; server: string; field: string; reason: { code: "mcp-transport-outdated" } | { code: "mcp-type-unknown"; type: string } | Shared3 } | { code: "mcp-variables-missing"; server: string; variables: (string)[] } | { code: "mcp-url-invalid"; server: string } | { code: "file-is-link" } | { code: "file-unreadable"; error: string } | { code: "file-not-regular" } | { code: "file-too-large"; maxBytes: number } | { code: "file-missing" } | { code: "file-not-json" } | { code: "file-without-servers" } | { code: "field-invalid"; field: string; issue: Shared3 } | Shared5 | { code: "in-repository-file"; path: string; problem: Shared4 } | { code: "scripts-untrustable"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "mcp-server-untrustable"; server: string; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "settings-untrustable"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "settings-link"; path: string } | { code: "settings-too-many"; max: number } | Shared6 | { code: "hooks-untrustable"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | Shared7 | { code: "git-settings-included" } | { code: "trust-unreadable"; path: string } | { code: "lfs-server-missing" } | { code: "lfs-protocol-unsupported" } | { code: "copy-too-much"; pattern: string } | { code: "copy-outside"; path: string };
type Shared9 = { id: ApprovalId; taskId: TaskId; attemptId: AttemptId; executionId: ExecutionId; toolUseId: string; toolName: string; input: JsonValue; reason: string | null; reasonText?: CodedText | undefined; grant?: PermissionGrant | undefined; requestId?: string | undefined; tampering?: { kind: "answer-refused" | "ran-unanswered"; at: Timestamp } | undefined; overwrites?: boolean | undefined; requestedAt: Timestamp; status: "pending" };
type Shared10 = { id: ApprovalId; taskId: TaskId; attemptId: AttemptId; executionId: ExecutionId; toolUseId: string; toolName: string; input: JsonValue; reason: string | null; reasonText?: CodedText | undefined; grant?: PermissionGrant | undefined; requestId?: string | undefined; tampering?: { kind: "answer-refused" | "ran-unanswered"; at: Timestamp } | undefined; overwrites?: boolean | undefined; requestedAt: Timestamp; status: "answered"; decision: ApprovalDecision; answerReason: string | null; answers?: ApprovalAnswers | undefined; plan?: PlanApproval | undefined; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; resolvedAt: Timestamp };
type Shared11 = { id: ApprovalId; taskId: TaskId; attemptId: AttemptId; executionId: ExecutionId; toolUseId: string; toolName: string; input: JsonValue; reason: string | null; reasonText?: CodedText | undefined; grant?: PermissionGrant | undefined; requestId?: string | undefined; tampering?: { kind: "answer-refused" | "ran-unanswered"; at: Timestamp } | undefined; overwrites?: boolean | undefined; requestedAt: Timestamp; status: "expired"; resolvedAt: Timestamp };
type Shared12 = { code: "mcp-no-answer"; seconds: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-exited"; exitCode: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-killed"; signal: string; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-message-too-long"; maxBytes: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-connection-closed"; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-connection-failed"; said: string; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-program-not-found"; command: string } | { code: "mcp-program-not-started"; command: string; error: string } | { code: "mcp-key-required"; status: number } | { code: "mcp-redirects-elsewhere"; origin: string } | { code: "mcp-redirects-too-often"; max: number } | { code: "mcp-files-changed"; names: (string)[]; more: number } | { code: "mcp-files-not-listed"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } };
type Shared13 = { code: "provider-limits"; provider: string; said: string } | { code: "provider-stopped-account"; provider: string; said: string } | { code: "provider-overloaded"; provider: string; said: string } | { code: "conversation-too-long"; model: string; said: string } | { code: "provider-refused-request"; provider: string; said: string } | { code: "provider-refused-key"; provider: string; variable: string; said: string } | { code: "provider-connection-failed"; provider: string; said: string } | { code: "provider-answer-unfinished"; provider: string } | { code: "provider-answer-stalled"; provider: string; seconds: number } | { code: "provider-unknown-model"; provider: string; model: string; said: string } | { code: "provider-error"; provider: string; said: string } | { code: "answer-broke-off" } | { code: "model-needs-key"; model: string; variable: string } | { code: "model-not-known"; model: string; usable: (string)[]; hasScripts: boolean };
type Shared14 = { code: "outputs-pruned"; failure: "no-model" | "nothing-to-summarize" | "does-not-shrink" | "too-long" | "empty" | "cut-short" | "refused" | "model-failed" | "timed-out" | "cancelled" | "switched-off" | "not-automatic" | "changed-meanwhile"; outputs: number; tokensBefore: number; tokensAfter: number; fits: boolean };
type Shared15 = { code: "provider-limits"; provider: string; said: string } | { code: "provider-stopped-account"; provider: string; said: string } | { code: "provider-overloaded"; provider: string; said: string } | { code: "conversation-too-long"; model: string; said: string } | { code: "provider-refused-request"; provider: string; said: string } | { code: "provider-refused-key"; provider: string; variable: string; said: string } | { code: "provider-connection-failed"; provider: string; said: string } | { code: "provider-answer-unfinished"; provider: string } | { code: "provider-answer-stalled"; provider: string; seconds: number } | { code: "provider-unknown-model"; provider: string; model: string; said: string } | { code: "provider-error"; provider: string; said: string } | { code: "answer-broke-off" } | { code: "model-needs-key"; model: string; variable: string } | { code: "model-not-known"; model: string; usable: (string)[]; hasScripts: boolean } | { code: "mcp-no-answer"; seconds: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-exited"; exitCode: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-killed"; signal: string; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-message-too-long"; maxBytes: number; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-connection-closed"; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-connection-failed"; said: string; stdout?: string | undefined; stderr?: string | undefined } | { code: "mcp-program-not-found"; command: string } | { code: "mcp-program-not-started"; command: string; error: string } | { code: "mcp-key-required"; status: number } | { code: "mcp-redirects-elsewhere"; origin: string } | { code: "mcp-redirects-too-often"; max: number } | { code: "mcp-files-changed"; names: (string)[]; more: number } | { code: "mcp-files-not-listed"; reason: { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "stopped" } | { code: "step-limit"; steps: number } | { code: "cost-limit"; spentUsd: number; limitUsd: number } | { code: "budget-reached"; scope: BudgetScope; measure: BudgetMeasure; spent: number; limit: number } | { code: "provider-limit"; agent: string; limit: "plan-limit" | "daily-quota" | "rate-limit" | "overloaded"; resetsAt: Timestamp | null } | { code: "continued-elsewhere"; from: string; limit: "plan-limit" | "daily-quota" | "rate-limit" | "overloaded"; resetsAt: Timestamp | null; agent: string } | { code: "ended-by-resource-limit"; resource: "memory" | "processes"; limit: number; used: number } | { code: "process-lost" } | { code: "ended-by-signal"; signal: string } | { code: "ended-unfinished"; agent?: string | undefined } | { code: "ended-without-answer"; stderr?: string | undefined } | { code: "ended-without-result"; agent: string } | { code: "ended-before-answer"; agent: string } | { code: "ended-with-exit-code"; exitCode: number; stderr?: string | undefined } | { code: "not-finished" } | { code: "agent-failed"; agent?: string | undefined; state?: string | undefined } | { code: "agent-gave-no-reason"; agent: string } | { code: "not-started"; reason: string } | { code: "not-started-again" } | { code: "node-given-up" } | { code: "program-missing"; agent: string; program: string } | { code: "program-not-executable"; agent: string; program: string } | { code: "program-not-started"; agent: string; reason: string } | { code: "setup-failed"; exitCode: number } | { code: "setup-timed-out"; seconds: number } | { code: "setup-not-started"; reason: string } | { code: "setup-ended-by-signal"; signal: string } | { code: "model-declined" } | { code: "model-reached-output-limit" } | { code: "agent-reached-request-limit" } | { code: "native-failed"; reason: string } | { code: "native-not-started"; reason: string } | { code: "history-unreadable"; reason: string } | { code: "message-resent" } | { code: "message-not-sent"; images: number; message: string } | { code: "result-not-saved"; reason: string } | { code: "result-saved" } | { code: "program-over-limit"; resource: "memory" | "processes"; limit: number; used: number; names: (string)[]; more: number } | { code: "approval-tampered"; tool: string } | { code: "control-refused" } | { code: "no-plan-mode"; agent: string } | { code: "plan-mode-not-offered"; agent: string } | { code: "codex-without-plan-mode" } | { code: "codex-cannot-ask" } | { code: "codex-without-system-prompt" } | { code: "permissions-not-asked"; agent: string } | { code: "acted-unasked"; agent: string } | { code: "changed-elsewhere"; owner: "another-attempt" | "checkout"; files: (string)[]; isCertain: boolean } | { code: "agent-settings-not-used"; state: "untrusted" | "changed"; names: (string)[]; more: number } | { code: "agent-settings-refused"; agent: string; names: (string)[]; more: number } | { code: "scripts-not-used"; what: "setup" | "copy"; state: "untrusted" | "changed" } | { code: "script-files-changed"; script: "setup" | "cleanup" | "check" | "dev"; names: (string)[]; more: number } | { code: "script-not-run"; script: "setup" | "cleanup" | "check" | "dev"; reason: string | { code: "loading-folder-missing" } | { code: "loaded-files-too-many"; max: number } | { code: "loaded-file-unreadable"; path: string } } | { code: "check-not-trusted"; state: "untrusted" | "changed" } | { code: "check-stopped" } | { code: "check-missing" } | { code: "check-superseded" } | { code: "check-folder-gone" } | { code: "check-not-started"; reason: string } | { code: "trust-unreadable"; path: string } | { code: "folder-restored"; branch: string } | { code: "shared-folder"; attempt: number; task?: string | undefined } | { code: "lfs-not-trusted"; count: number } | { code: "lfs-moved"; count: number; address: string } | { code: "lfs-no-program"; count: number } | { code: "lfs-failed"; count: number; said: string } | { code: "lfs-no-room"; count: number } | { code: "lfs-not-found"; count: number } | { code: "lfs-no-server"; count: number } | { code: "lfs-no-protocol"; count: number } | { code: "lfs-not-placed"; reason: string } | { code: "mcp-server-edited"; server: string; names: (string)[]; more: number } | { code: "mcp-servers-not-trusted"; servers: ({ name: string; isChanged: boolean })[] } | { code: "mcp-server-not-started"; server: string; reason: string | Shared12 } | { code: "mcp-server-lost"; server: string; reason: string | Shared12 } | { code: "mcp-server-restarted"; server: string } | { code: "mcp-server-not-restarted"; server: string; reason: string | Shared12 } | { code: "mcp-server-tools-changed"; server: string } | { code: "mcp-tools-left-out"; left: number; total: number } | { code: "mcp-tools-withheld"; server: string; tools: (string)[] } | { code: "session-replaced"; agent: string; isInformed: boolean } | { code: "agent-mode"; mode: string } | { code: "images-left-out"; agent: string } | { code: "agent-downloading"; agent: string; program: string } | { code: "download-unreachable"; agent: string; program: string } | { code: "download-unknown"; agent: string; program: string; package: string } | { code: "download-failed"; agent: string; program: string; said: string } | { code: "no-hello"; agent: string; seconds: number } | { code: "protocol-version-differs"; agent: string; theirs: number; ours: number } | { code: "session-not-named"; agent: string } | { code: "session-resumed"; agent: string } | { code: "session-not-resumed"; agent: string; session: string; said?: string | undefined } | { code: "output-limit" } | { code: "empty-answer"; agent?: string | undefined } | { code: "waiting-for-background"; agent: string; commands: (string)[] } | { code: "conversation-compacted"; agent: string; isAutomatic: boolean; tokensBefore?: number | undefined; tokensAfter?: number | undefined } | { code: "conversation-reset"; agent: string } | { code: "api-retry"; said?: string | undefined; attempt: number; most?: number | undefined; delayMs?: number | undefined } | { code: "hook-failed"; hook?: string | undefined; exitCode?: number | undefined; outcome?: string | undefined; said?: string | undefined } | { code: "background-task-ended"; state: string } | { code: "background-command-ended" } | { code: "notice-without-text"; agent: string } | { code: "unknown-output"; agent: string; kind: string } | { code: "unknown-request"; agent: string; kind: string } | { code: "request-refused"; agent: string; said?: string | undefined } | { code: "agent-error"; agent: string } | { code: "model-call-failed" } | { code: "summary-model-unusable"; reason: string | Shared13 } | { code: "sent-without"; reason: string | Shared13; leftOut: "effort" | "thoughts" | "images" | "thoughts-and-images" | "calls" | "older-outputs" | "outputs" } | { code: "background-commands-ended"; commands: (string)[] } | { code: "not-released"; reason: string } | { code: "login-rejected"; agent: string; said: string; login?: { command?: string | undefined; enter?: string | undefined; variable?: string | undefined } | undefined } | { code: "key-rejected"; agent: string; gateway: string; said: string } | { code: "no-quota"; agent: string; said: string } | { code: "rate-limited"; agent: string; said: string } | { code: "provider-failed"; said: string } | { code: "model-unreachable"; agent: string; said: string } | { code: "credit-too-low"; said: string } | { code: "option-unknown"; agent: string; option: string; install: string } | { code: "variable-not-passed"; agent: string; id: string; variable: string } | { code: "sandbox-failed"; agent: string } | { code: "model-silent"; seconds: number } | { code: "model-was-silent"; seconds: number } | { code: "model-retried"; attempt: number } | { code: "retry-waiting"; reason: string | Shared13; attempt: number; delayMs: number } | { code: "retry-succeeded"; reason: string | Shared13; attempt: number } | { code: "retry-failed"; reason: string | Shared13; attempt: number } | { code: "conversation-compressed"; messages: number; tokensBefore: number; tokensAfter: number; model: string; inputTokens?: number | undefined; outputTokens?: number | undefined; costUsd?: number | undefined; fits: boolean } | Shared14 | { code: "compression-failed"; failure: "no-model" | "nothing-to-summarize" | "does-not-shrink" | "too-long" | "empty" | "cut-short" | "refused" | "model-failed" | "timed-out" | "cancelled" | "switched-off" | "not-automatic" | "changed-meanwhile"; fits: boolean } | { code: "compression-not-needed" } | { code: "agent-unusable"; hint: Shared2 };
type Shared16 = { id: string; executionId: ExecutionId | null; requestedAt: Timestamp; state: "waiting" } | { id: string; executionId: ExecutionId | null; requestedAt: Timestamp; state: "running"; startedAt: Timestamp; tree: string; stopRequested?: true | undefined } | { id: string; executionId: ExecutionId | null; requestedAt: Timestamp; startedAt: Timestamp; tree: string; state: "passed" | "failed" | "timed-out" | "stopped" | "interrupted"; endedAt: Timestamp; exitCode: number | null; treeAfter: string | null; output: string } | { id: string; executionId: ExecutionId | null; requestedAt: Timestamp; state: "not-run"; endedAt: Timestamp; reason: Shared15 };
type Shared17 = { filePath: string; change?: "created" | "updated" | "deleted" | "renamed" | undefined; oldContent?: string | undefined; newContent?: string | undefined; hunks: ({ oldStart: number; oldLines: number; newStart: number; newLines: number; lines: (string)[] })[]; patch?: string | undefined; additions: number; deletions: number; binary: boolean; oldPath?: string | undefined; oldMode?: FileMode | undefined; newMode?: FileMode | undefined; oldId?: string | undefined; newId?: string | undefined; incomplete?: "too-large" | "unreadable" | "special" | "not-utf8" | "not-sent" | undefined; pathBytes?: string | undefined; oldPathBytes?: string | undefined };
type Shared18 = { redacted: ({ kind: "environment-secret" | "private-key" | "provider-key" | "github-token" | "gitlab-token" | "aws-key" | "service-token" | "skein-token" | "jwt" | "authorization" | "connection-string" | "url-parameter" | "assignment" | "home-path" | "user-name" | "own-word"; count: number })[]; kept: number };
type Shared19 = { kind: "worktree"; projectId: ProjectId; taskId: TaskId; taskTitle: string; attemptId: AttemptId; number: number; hostId?: HostId | undefined; id: string; bytes: number | null; lastUsedAt: Timestamp; directory: string; branch: string; because: "landed" | "merged" } | { kind: "sandbox-home"; projectId: ProjectId; taskId: TaskId; taskTitle: string; attemptId: AttemptId; number: number; hostId?: HostId | undefined; id: string; bytes: number | null; lastUsedAt: Timestamp } | { kind: "execution-log"; projectId: ProjectId; taskId: TaskId; taskTitle: string; attemptId: AttemptId; number: number; hostId?: HostId | undefined; id: string; bytes: number | null; lastUsedAt: Timestamp; executionIds: (ExecutionId)[] } | { kind: "process"; projectId: ProjectId; taskId: TaskId; taskTitle: string; attemptId: AttemptId; number: number; hostId?: HostId | undefined; id: string; bytes: number | null; lastUsedAt: Timestamp; executionId: ExecutionId; processes: ({ pid: number; name: string })[] };
type Shared20 = { code: "uncommitted"; files: number } | { code: "unmerged"; commits: number } | { code: "no-base" } | { code: "in-conflict" } | { code: "other-branch" } | { code: "submodules" } | { code: "in-use" } | { code: "unreachable" } | { code: "unreadable"; detail: string } | { code: "not-stored" } | { code: "changed" };
type Shared21 = { code: "storage-unavailable"; cause: "disk-full" | "out-of-inodes" | "quota-exceeded" | "read-only" | "no-permission" | "too-many-open-files" | "busy" | "damaged" | "database-missing" | "input-output" | "database-unreachable" | "database-rejected" | "database-read-only" | "database-disk-full" | "database-overloaded" | "database-in-use" | "lease-lost" | "other" };
type Shared22 = { executionId?: ExecutionId | undefined; images?: ({ mediaType: string; data: string })[] | undefined; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; streaming?: boolean | undefined; interrupted?: boolean | undefined; parentToolUseId?: string | undefined; model?: string | undefined; usage?: Usage | undefined };
type Shared23 = { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "thinking"; metadata?: { executionId?: ExecutionId | undefined; streaming?: boolean | undefined; interrupted?: boolean | undefined; parentToolUseId?: string | undefined } | undefined };
type Shared24 = { executionId?: ExecutionId | undefined; toolName?: string | undefined; toolUseId?: string | undefined; isError: boolean; parentToolUseId?: string | undefined; state?: "completed" | "failed" | "denied" | "interrupted" | "timed-out" | undefined; durationMs?: number | undefined; output?: string | undefined; outputFile?: string | undefined; details?: ToolDetails | undefined; processorFailure?: { file: string; reason: string } | undefined; isLate?: boolean | undefined };
type Shared25 = { executionId?: ExecutionId | undefined; toolName: string; toolUseId: string; input: JsonValue; output: string; outputFile?: string | undefined; summary: ToolSummary | string; details?: ToolDetails | undefined; processorFailure?: { file: string; reason: string } | undefined; changedElsewhere?: ({ filePath: string; owner: "another-attempt" | "checkout" })[] | undefined; parentToolUseId?: string | undefined; replaces?: (string)[] | undefined; annotations?: (string)[] | undefined; state: "running"; isError: false };
type Shared26 = { executionId?: ExecutionId | undefined; toolName: string; toolUseId: string; input: JsonValue; output: string; outputFile?: string | undefined; summary: ToolSummary | string; details?: ToolDetails | undefined; processorFailure?: { file: string; reason: string } | undefined; changedElsewhere?: ({ filePath: string; owner: "another-attempt" | "checkout" })[] | undefined; parentToolUseId?: string | undefined; replaces?: (string)[] | undefined; annotations?: (string)[] | undefined; state: "completed" | "failed" | "denied" | "interrupted" | "timed-out"; isError: boolean; durationMs: number };
type Shared27 = { id: string; role: "user" | "assistant" | "system"; content: string; timestamp: Timestamp; revision: number; messageType: "error"; metadata?: { executionId?: ExecutionId | undefined; text?: CodedText | undefined; code?: string | undefined; hint?: string | undefined; hintText?: CodedText | undefined } | undefined };
type Shared28 = { id: ExecutionId; taskId: TaskId; attemptId: AttemptId; number: number; startedAt: Timestamp; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; status: "success" | "failed" | "cancelled" | "interrupted"; endedAt: Timestamp; durationMs: number; exitCode: number | null; reason: string | null; reasonText?: CodedText | undefined; code: ExecutionEndCode | null; usage: Usage };
type Shared29 = { for: "provider"; since: Timestamp; limit: { code: "plan-limit" | "daily-quota" | "rate-limit" | "overloaded"; resetsAt: Timestamp | null; scope: "session" | "week" | "day" | "model" | "account" | null }; resumesAt: Timestamp; isAutomatic: boolean; rejections: number; continuesWith?: Fallback | undefined };
type Shared30 = { id: ExecutionId; taskId: TaskId; attemptId: AttemptId; number: number; startedAt: Timestamp; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; status: "running"; wait?: { for: "limit"; since: Timestamp; position: number } | { for: "budget"; since: Timestamp; reached: ReachedBudget; isPaused: boolean } | Shared29 | { for: "server"; since: Timestamp; name: string } | undefined };
type Shared31 = { code: "agent-working" } | { code: "nothing-to-commit" } | { code: "nothing-to-land"; base: string } | { code: "uncommitted"; files: number } | { code: "behind-base"; base: string; behind: number } | { code: "in-conflict" } | { code: "detached-head" } | { code: "unborn-branch" } | { code: "no-base-branch" } | { code: "base-gone"; base: string } | { code: "base-checked-out-dirty"; base: string; path: string } | { code: "base-checked-out-elsewhere"; base: string; path: string } | { code: "base-not-fast-forward"; base: string } | { code: "no-identity" } | { code: "no-remote" } | { code: "no-credential"; host: string } | { code: "index-locked"; path: string } | { code: "in-place" } | { code: "shallow" } | { code: "uses-lfs"; directory: string } | { code: "git-too-old"; version: string };
type Shared32 = { cause: "disk-full" | "out-of-inodes" | "quota-exceeded" | "read-only" | "no-permission" | "too-many-open-files" | "busy" | "damaged" | "database-missing" | "input-output" | "database-unreachable" | "database-rejected" | "database-read-only" | "database-disk-full" | "database-overloaded" | "database-in-use" | "lease-lost" | "other"; detail: string };
type Shared33 = { id: string; agent: AgentId; title: string; directory: string | null; folder: "repository" | "missing" | "no-repository"; repository: string | null; startedAt: Timestamp; updatedAt: Timestamp; bytes: number; state: "new" | "changed" | "imported" | "continued" | "in-skein" | "deleted"; taskId: TaskId | null };
type Shared34 = { source: "claude-code" | "codex" | "gemini" | "opencode" | "vibe-kanban"; name: string; places: (string)[]; sessions: (Shared33)[]; problems: ({ code: "unreadable-file" | "unreadable-line" | "long-line" | "large-file" | "unknown-format" | "busy-database" | "unreadable-database" | "not-saved"; file: string; sessionId?: string | undefined; line?: number | undefined; count?: number | undefined; detail?: string | undefined })[] };
type Shared35 = { seq: Sequence; attemptId: AttemptId | null; agent: AgentId | null; attempts: number; executing: boolean; runningTool?: string | undefined; runningToolSummary?: ToolSummary | string | undefined; pendingApprovals: number; queued: number; queuePaused: boolean; open: (OpenAttempt)[]; pullRequests: ({ attemptId: AttemptId; forge: ForgeKind; number: number; url: string; state: "open" | "draft" | "merged" | "closed"; checks: "pending" | "success" | "failure" | null; review: "approved" | "changes-requested" | null })[]; checks?: (CheckBadge)[] | undefined; lastEnd: LastEnd | null; totals: Totals };
type Shared36 = { role: "assistant"; content: string | ({ type: "text"; text: string } | { type: "reasoning"; text: string; signature?: string | undefined; model?: string | undefined; providerData?: JsonValue | undefined })[]; toolCalls?: ({ id: string; type: "function"; function: { name: string; arguments: string }; providerData?: JsonValue | undefined })[] | undefined; segments?: ({ type: "text"; text: string } | { type: "reasoning"; text: string } | { type: "tool-call"; toolCallId: string })[] | undefined };
type Shared37 = { provider: RequestProvider; defaultProvider: RequestProvider; model: string; steps: ({ step: "compression" | "filtering" | "tool-pairs" | "system-prompts" | "validation"; messages: number })[]; system: string; tools: ({ name: string; description: string; inputSchema: JsonValue })[]; unknownMcpServers: (string)[]; parts: ({ part: "system" | "tools" | "summary" | "user" | "assistant" | "tool"; tokens: number; count: number })[]; tokens: number; window: number; compression: { type: "summarize"; reason: "message-count" | "token-ratio"; messages: number; tokens: number; replacesSummary: boolean; keptMessages: number } | { type: "prune"; outputs: number; tokensBefore: number; tokensAfter: number; fits: boolean } | null; type: "request"; attemptId: AttemptId; nextMessage: "given" | "placeholder" | "none"; body: JsonValue };
type Shared38 = { code: "forge-unreachable"; host: string } | { code: "forge-unauthorized"; host: string } | { code: "forge-forbidden"; host: string; said: string } | { code: "forge-not-found"; host: string; repository: string } | { code: "forge-rate-limited"; host: string; until: Timestamp } | { code: "forge-rejected"; host: string; said: string } | { code: "forge-no-commits"; base: string } | { code: "forge-no-base"; host: string; base: string } | { code: "forge-error"; host: string; reason: string } | { code: "forge-insecure"; host: string } | { code: "no-forge-credential"; host: string; variable: string };
type Shared39 = { id: string; kind: "environment-secret" | "private-key" | "provider-key" | "github-token" | "gitlab-token" | "aws-key" | "service-token" | "skein-token" | "jwt" | "authorization" | "connection-string" | "url-parameter" | "assignment" | "home-path" | "user-name" | "own-word"; name?: string | undefined; masked: string; replacement: string; count: number; places: ({ part: "task" | "conversation" | "messages" | "changes"; id?: string | undefined; before: string; after: string })[] };
type Shared40 = { type: "state:conversation-sync"; taskId: TaskId; state?: { messages: (ConversationMessage)[]; isExecuting: boolean; currentExecution?: Execution | undefined; canSendMessage: boolean; attemptId: AttemptId | null; queue: (QueuedMessage)[]; queuePause: QueuePause | null; approvals: (Approval)[] } | undefined };
type Shared41 = { id?: AttemptId | undefined; taskId?: TaskId | undefined; number?: number | undefined; agent?: AgentId | undefined; model?: ModelId | null | undefined; permissionMode?: PermissionMode | undefined; agentMode?: string | null | undefined; systemPrompt?: string | undefined; isolation?: "worktree" | "in-place" | undefined; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined; hostId?: HostId | null | undefined; directory?: string | undefined; branch?: string | null | undefined; baseBranch?: string | null | undefined; baseCommit?: string | null | undefined; sessionId?: string | null | undefined; resumedSession?: string | undefined; sessionOptions?: { models: ({ id: ModelId; name: string; description?: string | undefined })[]; currentModel?: ModelId | undefined; modes: ({ id: string; name: string; description?: string | undefined })[]; hasPlanMode: boolean } | undefined; continuedFrom?: AttemptId | null | undefined; forkedFrom?: { executionId: ExecutionId; at: "start" | "end" } | undefined; nodeId?: NodeId | undefined; active?: boolean | undefined; raceId?: RaceId | undefined; archived?: boolean | undefined; check?: Shared16 | undefined; by?: { id: UserId | ApiTokenId; name: string; tokenId?: ApiTokenId | undefined; agent?: { executionId: ExecutionId; attemptId: AttemptId } | undefined } | undefined; createdAt?: Timestamp | undefined; updatedAt?: Timestamp | undefined };
type Shared42 = { type: "pull-request:changed"; taskId: TaskId; attemptId: AttemptId; pullRequest: { attemptId: AttemptId; forge: ForgeKind; number: number; url: string; state: "open" | "draft" | "merged" | "closed"; checks: "pending" | "success" | "failure" | null; review: "approved" | "changes-requested" | null } };
type Shared43 = { agent?: AgentId | undefined; model?: ModelId | undefined; isolation?: "worktree" | "in-place" | undefined; baseBranch?: string | undefined; permissionMode?: PermissionMode | undefined; continueFrom?: AttemptId | undefined; forkFrom?: { executionId: ExecutionId; at: "start" | "end" } | undefined; systemPrompt?: string | undefined; session?: string | undefined; host?: string | undefined; agentAccess?: boolean | undefined; sandbox?: "off" | "workspace" | undefined };
type Shared44 = { filePath: string; change?: "created" | "updated" | "deleted" | "renamed" | undefined; oldContent: string; newContent: string; hunks: ({ oldStart: number; oldLines: number; newStart: number; newLines: number; lines: (string)[] })[]; patch?: string | undefined; scope: "file" | "snippet"; otherFiles?: ({ filePath: string; change?: "created" | "updated" | "deleted" | "renamed" | undefined; oldContent: string; newContent: string; hunks: ({ oldStart: number; oldLines: number; newStart: number; newLines: number; lines: (string)[] })[]; patch?: string | undefined; scope: "file" | "snippet" })[] | undefined };
type Shared45 = { command: string; stdout: string; stderr: string; exitCode: number | null; changedFiles?: ({ filePath: string; change?: "created" | "updated" | "deleted" | "renamed" | undefined; oldContent: string; newContent: string; hunks: ({ oldStart: number; oldLines: number; newStart: number; newLines: number; lines: (string)[] })[]; patch?: string | undefined; scope: "file" | "snippet" })[] | undefined };
type Shared46 = { execution?: Budget | undefined; task?: Budget | undefined; project?: Budget | undefined; projectDay?: Budget | undefined; day?: Budget | undefined; perProject?: { [name: string]: { execution?: Budget | undefined; task?: Budget | undefined; project?: Budget | undefined; projectDay?: Budget | undefined } } | undefined };
