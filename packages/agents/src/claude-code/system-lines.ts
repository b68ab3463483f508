import type { JsonValue, MessageText } from "@skein/contracts";
import { countField, numberField, objectField, stringField, truncateCodePoints } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

/** A notice for the user; `code` lets the interface show it smaller or not at all. */
export interface LineNotice {
  text: MessageText;
  code: string;
}

const agent = "Claude Code";

const maxDetail = 500;

/** Progress lines; cards and texts already show the progress. */
export const quietSubtypes: ReadonlySet<string> = new Set([
  "status",
  "thinking_tokens",
  "permission_denied",
  "task_progress",
  "task_updated",
  "background_tasks_changed",
  "hook_started",
  "hook_progress",
  "session_state_changed",
  "files_persisted",
]);

/** Lines outside of the conversation, without information for users. */
export const quietTypes: ReadonlySet<string> = new Set(["command_lifecycle", "keep_alive", "tool_progress", "auth_status"]);

export function toCompactionNotice(line: JsonObject): LineNotice {
  const metadata = objectField(line, "compact_metadata");
  const before = countField(metadata, 0, "pre_tokens");
  const after = countField(metadata, 0, "post_tokens");
  const isAutomatic = stringField(metadata, "trigger") !== "manual";
  const sizes = {
    ...(before === undefined ? {} : { tokensBefore: before }),
    ...(after === undefined ? {} : { tokensAfter: after }),
  };
  return { text: { code: "conversation-compacted", agent, isAutomatic, ...sizes }, code: "compacted" };
}

export function toRetryNotice(line: JsonObject): LineNotice {
  const attempt = countField(line, 1, "attempt") ?? 1;
  const max = countField(line, 1, "max_retries");
  const delayMs = numberField(line, "retry_delay_ms");
  const status = countField(line, 1, "error_status");
  const error = stringField(line, "error");
  const cause = [status === undefined ? undefined : String(status), error === "unknown" ? undefined : error].filter(
    (part) => part !== undefined,
  );
  const text: MessageText = {
    code: "api-retry",
    attempt,
    ...(cause.length === 0 ? {} : { said: cause.join(" ") }),
    ...(max === undefined ? {} : { most: max }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
  return { text, code: "api-retry" };
}

/** Undefined for a hook that succeeded. */
export function toHookNotice(line: JsonObject): LineNotice | undefined {
  const outcome = stringField(line, "outcome");
  const exitCode = numberField(line, "exit_code");
  if (outcome === undefined ? (exitCode ?? 0) === 0 : outcome === "success") return undefined;
  const hook = stringField(line, "hook_name", "hook_event");
  const said = [stringField(line, "stderr"), stringField(line, "stdout"), stringField(line, "output")].find((text) => text);
  const text: MessageText = {
    code: "hook-failed",
    ...(hook === undefined ? {} : { hook }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(said === undefined ? {} : { said: shorten(said) }),
  };
  return { text, code: "hook-failed" };
}

export function toTaskNotice(line: JsonObject): LineNotice {
  const summary = stringField(line, "summary") ?? "";
  const state = stringField(line, "status") ?? "ended";
  return { text: summary === "" ? { code: "background-task-ended", state } : shorten(summary), code: "background-task" };
}

export function toInformation(line: JsonObject): LineNotice {
  const said = stringField(line, "content", "message");
  return { text: said === undefined ? { code: "notice-without-text", agent } : shorten(said), code: "agent-notice" };
}

/** The output of a slash command. `Compacted` is omitted: the boundary reports it. */
export function toCommandOutput(content: JsonValue | undefined): LineNotice | undefined {
  if (typeof content !== "string") return undefined;
  const text = /^<local-command-std(?:out|err)>([\s\S]*)<\/local-command-std(?:out|err)>\s*$/.exec(content)?.[1]?.trim();
  return text === undefined || text === "" || text === "Compacted" ? undefined : { text, code: "command-output" };
}

function shorten(text: string): string {
  return truncateCodePoints(text.trim(), maxDetail);
}
