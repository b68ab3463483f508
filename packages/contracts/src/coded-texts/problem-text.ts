import { z } from "zod";
import { storageFaults } from "../storage-fault.ts";
import { agentHintSchema } from "./agent-hint.ts";
import { pullRequestFailureShapes } from "./forge-text.ts";
import { gitFailureShapes, gitObstacleShapes } from "./git-text.ts";
import { issueTextSchema } from "./issue-text.ts";
import { noticeTextSchema } from "./notice-text.ts";
import { mcpProblemSchema, repositoryTextSchema } from "./repository-text.ts";
import { count, maybeCount, maybeText, names, type TextOf, text, toTextSchema } from "./text-shapes.ts";

const id = { id: text };
const path = { path: text };
const reason = { reason: text };
const server = { server: text };
const directory = { directory: text };
/** The part of a request that is wrong; `message` counts from 1. */
const part = { message: maybeCount, toolCallId: maybeText };
/** Why a request to the model cannot be built. */
const notBuilt = { reason: z.union([z.string(), noticeTextSchema]) };

/** Why config.json cannot be used. */
const configProblems = {
  "config-unreadable": { ...path, ...reason },
  "config-not-json": { ...path, ...reason },
  "config-field-invalid": { ...path, field: text, issue: z.union([issueTextSchema, mcpProblemSchema]) },
};
/** Parses a problem of config.json. */
export const configProblemSchema = toTextSchema(configProblems);
/** A problem of config.json. */
export type ConfigProblem = TextOf<typeof configProblems>;

/** Why a request failed. The parameters are extension members of the problem details (RFC 9457). */
export const problemTextShapes = {
  ...gitObstacleShapes,
  ...gitFailureShapes,
  ...pullRequestFailureShapes,

  // HTTP
  "internal-error": {},
  "sandbox-unavailable": { state: z.enum(["system", "not-installed", "not-permitted"]), detail: maybeText },
  "storage-unavailable": { cause: z.enum(storageFaults) },
  "method-not-allowed": { allowed: z.array(text) },
  "unknown-route": path,
  "not-found": { id: text },
  "invalid-request": { place: z.enum(["query", "body"]), path: text, reason: issueTextSchema.exactOptional() },
  "unsupported-media-type": {},
  "malformed-json": { reason: maybeText },
  "body-too-large": { maxBytes: count },
  "malformed-request": {},
  "headers-too-large": {},
  "request-timeout": {},
  "too-many-event-clients": { count },
  "host-not-allowed": {},
  "origin-not-allowed": { isOwn: z.boolean() },
  "token-required": {},
  unauthorized: {},
  "launch-code-not-valid": {},

  // checks and races
  "check-open": {},
  "no-open-check": {},
  "attempt-active": {},

  // users
  "team-mode-off": {},
  "metrics-off": {},
  "sign-in-failed": {},
  "sign-in-limited": { seconds: count },
  "sign-in-busy": {},
  "sign-in-not-completed": { provider: text, reason: text },
  "sign-in-not-invited": { provider: text },
  "sign-in-provider-not-found": id,
  "invitation-not-valid": {},
  "invitation-needs-email": {},
  "email-taken": { email: text },
  "password-wrong": {},
  "role-required": { role: text },
  "admin-required": {},
  "scope-required": { scope: text },
  "browser-required": {},
  "last-admin": {},
  "user-deactivated": {},
  "key-not-readable": { name: text },
  "user-not-found": id,
  "session-not-found": id,
  "token-not-found": id,
  "invitation-not-found": id,

  // agents that use Skein
  "token-needs-user": {},
  "not-for-agents": {},
  "agent-mode-too-high": { mode: text },
  "agent-needs-worktree": {},
  "agent-needs-sandbox": {},
  "not-started-by-agent": id,
  "agent-depth-limit": { limit: count },
  "agent-start-limit": { limit: count },
  "agent-cost-limit": { limitUsd: z.number(), costUsd: z.number() },
  "request-id-reused": {},

  // nothing has this id
  "project-not-found": id,
  "task-not-found": id,
  "attempt-not-found": id,
  "execution-not-found": id,
  "message-not-found": id,
  "inbox-item-not-found": id,
  "output-not-found": id,
  "queued-message-not-found": id,
  "permission-rule-not-found": id,
  "approval-not-found": id,
  "comment-not-found": id,
  "quarantined-execution-not-found": id,
  "template-not-found": id,
  "schedule-not-found": id,
  "webhook-not-found": id,
  "delivery-refused": {},
  "webhook-off": {},
  "webhook-limited": { seconds: count },
  "template-in-use": names,
  "template-values-missing": names,
  "other-project": {},
  "cron-invalid": { cron: text },
  "time-zone-invalid": { timeZone: text },
  "run-starting": {},
  "previous-run-open": {},
  "automation-user-lost": { name: text },
  "agent-not-found": id,

  // agents and models
  "agent-not-added": id,
  "not-in-catalogue": id,
  "agent-built-in": { agent: text, builtIn: text },
  "catalogue-changed": { agent: text },
  "agent-exists": id,
  "agent-not-available": { agent: text, known: z.array(text).exactOptional(), hint: agentHintSchema.exactOptional() },
  "model-not-usable": notBuilt,
  "unknown-agent-mode": { mode: text },
  "sessions-not-offered": { agent: text },
  "sessions-not-listed": { agent: text, reason: z.union([z.string(), noticeTextSchema, agentHintSchema]) },
  "session-needs-project-folder": {},
  "session-or-attempt": {},

  // tasks, attempts and messages
  "project-exists": { ...path, project: text },
  /** With `directory` if it could not be checked for changes. */
  "uncommitted-changes": { attempt: count, ...names, directory: maybeText },
  "attempt-continued": { attempt: count, next: count },
  "attempt-id-taken": id,
  "source-not-found": id,
  "source-in-worktree": { attempt: count },
  "fork-source-not-found": id,
  "fork-needs-worktree": {},
  "fork-or-continue": {},
  "no-attempt": {},
  "empty-message": {},
  "cannot-retry": {},
  "image-too-large": { width: count, height: count, maxEdge: count, maxPixels: count },
  "already-handed-over": {},
  "inbox-item-superseded": {},
  "execution-not-waiting": {},
  "answered-by-agent": {},
  /** `name`: of the server on whose machine the project or attempt is. */
  "node-unreachable": { name: z.string() },
  "node-not-found": { id: z.string() },
  "node-alive": { name: z.string() },
  "node-draining": { name: z.string() },
  "nodes-not-shared": {},
  "job-not-found": { id: z.string() },
  "job-over": {},
  "approval-already-resolved": {},
  "nothing-to-undo": {},
  "not-recoverable": { ...id, ...directory },
  "agent-running": id,
  "attempt-running": { attempt: count, task: text },
  "preview-failed": { directory: maybeText, ...reason },
  "request-empty": {},
  "request-starts-with-tool": {},
  "request-orphaned-tool": part,
  "request-unanswered-call": part,
  "model-rate-limit": notBuilt,
  "model-quota": notBuilt,
  "model-overloaded": notBuilt,
  "model-context-too-long": notBuilt,
  "model-bad-request": notBuilt,
  "model-auth": notBuilt,
  "model-network": notBuilt,
  "model-unknown-model": notBuilt,
  "model-other": notBuilt,

  // git and files
  "no-message-model": {},
  "message-model-changed": { model: text },
  "commit-message-failed": { model: text, ...notBuilt },
  "base-not-found": { branch: text },
  "no-commit": {},
  "no-branch-name": { prefix: text },
  "objects-missing": {},
  "folder-gone": directory,
  "folder-replaced": { ...directory, branch: maybeText },
  "worktree-gone": { branch: maybeText },
  "worktree-not-restored": { branch: maybeText, ...reason },
  "outside-worktrees": directory,
  "path-not-found": path,
  "path-not-absolute": path,
  "path-not-a-folder": path,
  "path-unreadable": path,
  "path-unusable": { ...path, ...reason },
  "git-missing": {},
  "repository-owned-by-another": path,
  "bare-repository": path,
  "repository-format-unsupported": { ...path, extension: maybeText },
  "not-a-repository": path,
  "files-unreadable": directory,
  "diff-failed": directory,
  "export-page-missing": {},
  "not-an-export": {},
  "export-other-version": { format: text },
  "export-not-json": reason,
  "export-cut-off": {},
  "export-field-invalid": { field: text, issue: issueTextSchema },
  "export-part-too-large": { field: text, maxLength: count },
  "export-too-deep": { field: text },
  "folder-not-found": directory,
  "file-not-found": path,

  // workers
  "host-unreachable": { host: text },
  "host-removed": { host: text },
  "host-busy": { host: text },
  "host-draining": { host: text },
  "host-not-found": { host: text },
  "host-needs-worktree": { host: text },
  "host-lacks-agent": { host: text, agent: text },
  "already-on-host": {},
  "attempt-not-mirrored": { host: text },
  "worker-code-not-valid": {},
  "worker-refused": {},

  // terminals and dev servers
  "terminals-off": {},
  "terminals-unavailable": reason,
  "too-many-terminals": { limit: count },
  "terminal-not-found": id,
  "no-free-port": {},
  "dev-script-missing": {},
  "dev-script-unusable": { reason: z.union([noticeTextSchema, repositoryTextSchema]) },
  "dev-in-sandbox": {},

  // settings and trust
  ...configProblems,
  "config-unusable": { reason: z.union([text, configProblemSchema]) },
  "config-not-saved": { ...path, ...reason },
  "scripts-changed": {},
  "agent-settings-changed": {},
  "hooks-changed": {},
  "git-lfs-changed": {},
  "scripts-not-trusted": {},
  "agent-settings-not-trusted": {},
  "hooks-not-trusted": {},
  "git-lfs-not-trusted": {},
  "mcp-trust-unreadable": path,
  "mcp-server-not-found": server,
  "mcp-server-changed": server,
  "mcp-server-invalid": { ...server, reason: repositoryTextSchema },
  "mcp-server-not-trusted": server,
  "mcp-server-failed": { ...server, notices: z.array(noticeTextSchema) },
};

/** Parses the reason why a request failed. */
export const problemTextSchema = toTextSchema(problemTextShapes);
/** Why a request failed. */
export type ProblemText = TextOf<typeof problemTextShapes>;
