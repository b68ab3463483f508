import { z } from "zod";
import { budgetMeasureSchema, budgetScopeSchema } from "../budget.ts";
import { timestampSchema } from "../json.ts";
import { providerLimitCodeSchema } from "../provider-limit.ts";
import { limitedResourceSchema } from "../resource-limits.ts";
import { agentHintSchema } from "./agent-hint.ts";
import { loadedFilesProblemSchema } from "./repository-text.ts";
import { count, login, maybeCount, maybeText, names, type TextOf, text, toTextSchema } from "./text-shapes.ts";

const agent = { agent: text };
/** Bytes of memory, or processes and threads. */
const exceeded = { resource: limitedResourceSchema, limit: count, used: count };
const reason = { reason: text };
/** The words of an agent, a provider or a program, verbatim. */
const said = { said: text };
const files = names;
const lfs = { count };
const tokens = { tokensBefore: count, tokensAfter: count };

/** Why a model request failed. */
const modelFailures = {
  "provider-limits": { provider: text, ...said },
  "provider-stopped-account": { provider: text, ...said },
  "provider-overloaded": { provider: text, ...said },
  "conversation-too-long": { model: text, ...said },
  "provider-refused-request": { provider: text, ...said },
  "provider-refused-key": { provider: text, variable: text, ...said },
  "provider-connection-failed": { provider: text, ...said },
  "provider-answer-unfinished": { provider: text },
  "provider-answer-stalled": { provider: text, seconds: count },
  "provider-unknown-model": { provider: text, model: text, ...said },
  "provider-error": { provider: text, ...said },
  "answer-broke-off": {},
  "model-needs-key": { model: text, variable: text },
  "model-not-known": { model: text, usable: z.array(text), hasScripts: z.boolean() },
};
/** As data if Skein knows the cause; a string for any other error. */
export const modelFailureTextSchema = z.union([z.string(), toTextSchema(modelFailures)]);
export type ModelFailureText = z.infer<typeof modelFailureTextSchema>;
const cause = { reason: modelFailureTextSchema };

/** What a server's program printed: the first line on stdout that is not a message, and the end of stderr. */
const printed = { stdout: maybeText, stderr: maybeText };
/** Why an MCP server cannot be used. */
const mcpFailures = {
  "mcp-no-answer": { seconds: z.number(), ...printed },
  "mcp-exited": { exitCode: count, ...printed },
  "mcp-killed": { signal: text, ...printed },
  "mcp-message-too-long": { maxBytes: count, ...printed },
  "mcp-connection-closed": printed,
  "mcp-connection-failed": { ...said, ...printed },
  "mcp-program-not-found": { command: text },
  "mcp-program-not-started": { command: text, error: text },
  "mcp-key-required": { status: count },
  "mcp-redirects-elsewhere": { origin: text },
  "mcp-redirects-too-often": { max: count },
  "mcp-files-changed": files,
  "mcp-files-not-listed": { reason: loadedFilesProblemSchema },
};
/** Why an MCP server or one of its tools is not available. */
export type McpFailureText = TextOf<typeof mcpFailures>;
/** A string in conversations of earlier releases. */
const mcpFailure = { server: text, reason: z.union([text, toTextSchema(mcpFailures)]) };

/** Why no summary was made. */
export const compressionFailureSchema = z.enum([
  "no-model",
  "nothing-to-summarize",
  "does-not-shrink",
  "too-long",
  "empty",
  "cut-short",
  "refused",
  "model-failed",
  "timed-out",
  "cancelled",
  "switched-off",
  "not-automatic",
  "changed-meanwhile",
]);
export type CompressionFailure = z.infer<typeof compressionFailureSchema>;

/** What was left out of a request after a provider had rejected it. */
export const leftOutSchema = z.enum(["effort", "thoughts", "images", "thoughts-and-images", "calls", "older-outputs", "outputs"]);
export type LeftOut = z.infer<typeof leftOutSchema>;

/** What Skein reports in a conversation: notices, errors, and why an execution ended. */
export const noticeTextShapes = {
  ...modelFailures,
  ...mcpFailures,

  // ends of executions
  stopped: {},
  "step-limit": { steps: count },
  "cost-limit": { spentUsd: z.number(), limitUsd: z.number() },
  "budget-reached": { scope: budgetScopeSchema, measure: budgetMeasureSchema, spent: z.number(), limit: z.number() },
  "provider-limit": { ...agent, limit: providerLimitCodeSchema, resetsAt: timestampSchema.nullable() },
  "continued-elsewhere": { from: text, limit: providerLimitCodeSchema, resetsAt: timestampSchema.nullable(), ...agent },
  "ended-by-resource-limit": exceeded,
  "process-lost": {},
  "ended-by-signal": { signal: text },
  "ended-unfinished": { agent: maybeText },
  "ended-without-answer": { stderr: maybeText },
  "ended-without-result": agent,
  "ended-before-answer": agent,
  "ended-with-exit-code": { exitCode: z.int(), stderr: maybeText },
  "not-finished": {},
  "agent-failed": { agent: maybeText, state: maybeText },
  "agent-gave-no-reason": agent,
  "not-started": reason,
  "not-started-again": {},
  "node-given-up": {},
  "program-missing": { ...agent, program: text },
  "program-not-executable": { ...agent, program: text },
  "program-not-started": { ...agent, ...reason },
  "setup-failed": { exitCode: z.int() },
  "setup-timed-out": { seconds: count },
  "setup-not-started": reason,
  "setup-ended-by-signal": { signal: text },
  "model-declined": {},
  "model-reached-output-limit": {},
  "agent-reached-request-limit": {},
  "native-failed": reason,
  "native-not-started": reason,
  "history-unreadable": reason,

  // saving
  "message-resent": {},
  "message-not-sent": { images: count, message: text },
  "result-not-saved": reason,
  "result-saved": {},

  // programs of an agent
  "program-over-limit": { ...exceeded, ...names },

  // permissions and trust
  "approval-tampered": { tool: text },
  "control-refused": {},
  "no-plan-mode": agent,
  "plan-mode-not-offered": agent,
  "codex-without-plan-mode": {},
  "codex-cannot-ask": {},
  "codex-without-system-prompt": {},
  "permissions-not-asked": agent,
  "acted-unasked": agent,
  "changed-elsewhere": { owner: z.enum(["another-attempt", "checkout"]), files: z.array(text), isCertain: z.boolean() },
  "agent-settings-not-used": { state: z.enum(["untrusted", "changed"]), ...files },
  "agent-settings-refused": { ...agent, ...files },
  "scripts-not-used": { what: z.enum(["setup", "copy"]), state: z.enum(["untrusted", "changed"]) },
  "script-files-changed": { script: z.enum(["setup", "cleanup", "check", "dev"]), ...files },
  "script-not-run": { script: z.enum(["setup", "cleanup", "check", "dev"]), reason: z.union([text, loadedFilesProblemSchema]) },
  "check-not-trusted": { state: z.enum(["untrusted", "changed"]) },
  "check-stopped": {},
  "check-missing": {},
  "check-superseded": {},
  "check-folder-gone": {},
  "check-not-started": reason,
  "trust-unreadable": { path: text },

  // folder
  "folder-restored": { branch: text },
  "shared-folder": { attempt: count, task: maybeText },
  "lfs-not-trusted": lfs,
  "lfs-moved": { ...lfs, address: text },
  "lfs-no-program": lfs,
  "lfs-failed": { ...lfs, ...said },
  "lfs-no-room": lfs,
  "lfs-not-found": lfs,
  "lfs-no-server": lfs,
  "lfs-no-protocol": lfs,
  "lfs-not-placed": reason,

  // MCP servers
  "mcp-server-edited": { server: text, ...files },
  "mcp-servers-not-trusted": { servers: z.array(z.object({ name: text, isChanged: z.boolean() })) },
  "mcp-server-not-started": mcpFailure,
  "mcp-server-lost": mcpFailure,
  "mcp-server-restarted": { server: text },
  "mcp-server-not-restarted": mcpFailure,
  "mcp-server-tools-changed": { server: text },
  "mcp-tools-left-out": { left: count, total: count },
  "mcp-tools-withheld": { server: text, tools: z.array(text) },

  // what an agent does
  "session-replaced": { ...agent, isInformed: z.boolean() },
  "agent-mode": { mode: text },
  "images-left-out": agent,
  "agent-downloading": { ...agent, program: text },
  "download-unreachable": { ...agent, program: text },
  "download-unknown": { ...agent, program: text, package: text },
  "download-failed": { ...agent, program: text, ...said },
  "no-hello": { ...agent, seconds: count },
  "protocol-version-differs": { ...agent, theirs: z.number(), ours: z.number() },
  "session-not-named": agent,
  "session-resumed": agent,
  "session-not-resumed": { ...agent, session: text, said: maybeText },
  "output-limit": {},
  "empty-answer": { agent: maybeText },
  "waiting-for-background": { ...agent, commands: z.array(text) },
  "conversation-compacted": { ...agent, isAutomatic: z.boolean(), tokensBefore: maybeCount, tokensAfter: maybeCount },
  "conversation-reset": agent,
  "api-retry": { said: maybeText, attempt: count, most: maybeCount, delayMs: z.number().exactOptional() },
  "hook-failed": { hook: maybeText, exitCode: z.number().exactOptional(), outcome: maybeText, said: maybeText },
  "background-task-ended": { state: text },
  "background-command-ended": {},
  "notice-without-text": agent,
  "unknown-output": { ...agent, kind: text },
  "unknown-request": { ...agent, kind: text },
  "request-refused": { ...agent, said: maybeText },
  "agent-error": agent,
  "model-call-failed": {},
  "summary-model-unusable": cause,
  "sent-without": { ...cause, leftOut: leftOutSchema },
  "background-commands-ended": { commands: z.array(text) },
  "not-released": reason,

  // failures of models
  "login-rejected": { ...agent, ...said, login },
  "key-rejected": { ...agent, gateway: text, ...said },
  "no-quota": { ...agent, ...said },
  "rate-limited": { ...agent, ...said },
  "provider-failed": said,
  "model-unreachable": { ...agent, ...said },
  "credit-too-low": said,
  "option-unknown": { ...agent, option: text, install: text },
  "variable-not-passed": { ...agent, id: text, variable: text },
  "sandbox-failed": agent,
  "model-silent": { seconds: count },
  "model-was-silent": { seconds: count },
  "model-retried": { attempt: count },
  "retry-waiting": { ...cause, attempt: count, delayMs: count },
  "retry-succeeded": { ...cause, attempt: count },
  "retry-failed": { ...cause, attempt: count },

  // compression
  "conversation-compressed": {
    messages: count,
    ...tokens,
    model: text,
    inputTokens: maybeCount,
    outputTokens: maybeCount,
    costUsd: z.number().exactOptional(),
    fits: z.boolean(),
  },
  "outputs-pruned": { failure: compressionFailureSchema, outputs: count, ...tokens, fits: z.boolean() },
  "compression-failed": { failure: compressionFailureSchema, fits: z.boolean() },
  "compression-not-needed": {},

  /** A hint about an agent whose execution could not start. */
  "agent-unusable": { hint: agentHintSchema },
};

/** Parses a text of a conversation. */
export const noticeTextSchema = toTextSchema(noticeTextShapes);
/** A text that Skein itself adds to a conversation. */
export type NoticeText = TextOf<typeof noticeTextShapes>;
