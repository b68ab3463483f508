import type { JsonValue } from "@skein/contracts";
import { countField, numberField, objectField, stringField, truncateCodePoints } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

/** A line for the user; `code` lets the interface draw it smaller or not at all. */
export interface NoticeText {
  text: string;
  code: string;
}

const maxDetail = 500;

/** Progress lines; cards and texts already show what happens. */
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
export const quietTypes: ReadonlySet<string> = new Set([
  "command_lifecycle",
  "keep_alive",
  "tool_progress",
  "rate_limit_event",
  "auth_status",
]);

export function toCompactionNotice(line: JsonObject): NoticeText {
  const metadata = objectField(line, "compact_metadata");
  const before = countField(metadata, 0, "pre_tokens");
  const after = countField(metadata, 0, "post_tokens");
  const cause = stringField(metadata, "trigger") === "manual" ? "" : " on its own";
  const sizes = before === undefined ? "" : after === undefined ? ` (it was ${before} tokens)` : ` (${before} → ${after} tokens)`;
  return { text: `Claude Code summarised the conversation${cause}${sizes}.`, code: "compacted" };
}

export function toRetryNotice(line: JsonObject): NoticeText {
  const attempt = countField(line, 1, "attempt") ?? 1;
  const max = countField(line, 1, "max_retries");
  const delayMs = numberField(line, "retry_delay_ms");
  const status = countField(line, 1, "error_status");
  const error = stringField(line, "error");
  const cause = [status === undefined ? undefined : String(status), error === "unknown" ? undefined : error].filter(
    (part) => part !== undefined,
  );
  const why = cause.length === 0 ? "did not answer" : `answered ${cause.join(" ")}`;
  const when = delayMs === undefined ? "" : ` in ${(delayMs / 1000).toFixed(1)} s`;
  return { text: `The API ${why}: retry ${attempt}${max === undefined ? "" : ` of ${max}`}${when}.`, code: "api-retry" };
}

/** Undefined for a hook that did what it should. */
export function toHookNotice(line: JsonObject): NoticeText | undefined {
  const outcome = stringField(line, "outcome");
  const exitCode = numberField(line, "exit_code");
  if (outcome === undefined ? (exitCode ?? 0) === 0 : outcome === "success") return undefined;
  const name = stringField(line, "hook_name", "hook_event") ?? "A hook";
  const detail = [stringField(line, "stderr"), stringField(line, "stdout"), stringField(line, "output")].find((text) => text);
  const how = exitCode === undefined ? (outcome ?? "failed") : `exit code ${exitCode}`;
  return { text: `Hook ${name}: ${how}${detail === undefined ? "." : `. ${shorten(detail)}`}`, code: "hook-failed" };
}

export function toTaskNotice(line: JsonObject): NoticeText {
  const summary = stringField(line, "summary") ?? "";
  const status = stringField(line, "status") ?? "ended";
  return { text: summary === "" ? `A background task ${status}.` : shorten(summary), code: "background-task" };
}

export function toInformation(line: JsonObject): NoticeText {
  return { text: shorten(stringField(line, "content", "message") ?? "Claude Code has a notice without text."), code: "agent-notice" };
}

/** What a slash command printed. `Compacted` is left out: the boundary reports it. */
export function toCommandOutput(content: JsonValue | undefined): NoticeText | undefined {
  if (typeof content !== "string") return undefined;
  const text = /^<local-command-std(?:out|err)>([\s\S]*)<\/local-command-std(?:out|err)>\s*$/.exec(content)?.[1]?.trim();
  return text === undefined || text === "" || text === "Compacted" ? undefined : { text, code: "command-output" };
}

function shorten(text: string): string {
  return truncateCodePoints(text.trim(), maxDetail);
}
