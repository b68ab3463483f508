import type { ImagePart, JsonValue, ToolExecutionEndState } from "@skein/contracts";
import { arrayField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { type AcpCall, hashText, toCallName } from "./acp-call.ts";
import { type AcpDiff, toToolImages, toToolText } from "./acp-content.ts";
import { type CommandText, readCommandText } from "./command-text.ts";
import { toOpencodeEndState, toOpencodeStructured } from "./opencode-result.ts";
import { type RawOutput, readRawOutput } from "./raw-output.ts";

const abortedMark = "<shell_metadata>\nUser aborted the command\n</shell_metadata>";
const maxUnknownLength = 64 * 1024;

export interface AcpResult {
  output: string;
  isError: boolean;
  state?: ToolExecutionEndState;
  structured?: JsonValue;
  images?: ImagePart[];
}

/** The result of a call that ended, from its last update and earlier ones. */
export function toAcpResult(call: AcpCall, update: JsonObject, how: { hasFailed: boolean; wasCancelled: boolean }): AcpResult {
  const raw = readRawOutput(update.rawOutput);
  const command = call.kind === "execute" ? readCommandText(findPrinted(call, update, raw), how) : undefined;
  const exitCode = findExitCode(call, raw, command);
  const ended: AcpCall = exitCode === undefined ? call : { ...call, exitCode };
  const output = command?.text ?? findOutput(call, update, raw, how.hasFailed);
  const state = findEndState(ended, { output, raw, update, ...how, isAborted: command?.isAborted === true });
  const isError = state !== "completed";
  const images = toToolImages(arrayField(update, "content") ?? []);
  const structured = isError ? toExitCode(ended) : toStructured(ended, update, raw);
  return {
    output,
    isError,
    ...(isError ? { state } : {}),
    ...(structured === undefined ? {} : { structured }),
    ...(images.length === 0 ? {} : { images }),
  };
}

/** pi reports every failure as code 1, and the real code in the text. */
function findExitCode(call: AcpCall, raw: RawOutput, command: CommandText | undefined): number | null | undefined {
  return command?.exitCode === undefined ? (raw.exitCode ?? call.exitCode) : command.exitCode;
}

interface End {
  output: string;
  raw: RawOutput;
  update: JsonObject;
  hasFailed: boolean;
  wasCancelled: boolean;
  isAborted: boolean;
}

/** ACP has only "completed" and "failed"; other fields distinguish a refusal from an interruption. */
function findEndState(call: AcpCall, { output, raw, update, hasFailed, wasCancelled, isAborted }: End): ToolExecutionEndState {
  const rawOutput = objectField(update, "rawOutput");
  if (isAborted || raw.end === "cancelled" || (stringField(rawOutput, "output") ?? "").endsWith(abortedMark)) return "interrupted";
  // Stopped while running, Claude Code reports a command the same way as a denied one.
  if (wasCancelled && hasFailed) return "interrupted";
  const text = raw.error ?? output;
  const isDenied = raw.end === "rejected" || text.startsWith("The user doesn't want to proceed with this tool use.");
  if (hasFailed && isDenied) return "denied";
  const state = toOpencodeEndState(text, objectField(rawOutput, "metadata"));
  if (hasFailed && state !== "failed") return state;
  // Gemini CLI reports "completed". A command that really ended has an exit code.
  if (wasCancelled && call.kind === "execute" && call.exitCode === undefined) return "interrupted";
  if (hasFailed && /^Tool ".{1,200}" was canceled by the user\.$/.test(text)) return "denied";
  return hasFailed || call.isInvalid === true ? "failed" : "completed";
}

/** A command's output: as the agent passed it on, otherwise as it presents it. */
function findPrinted(call: AcpCall, update: JsonObject, raw: RawOutput): string {
  if (typeof update.rawOutput === "string" && update.rawOutput !== "") return update.rawOutput;
  const metadata = objectField(objectField(update, "rawOutput"), "metadata");
  // opencode's text only states that it was stopped
  if (metadata?.interrupted === true) return stringField(metadata, "output") ?? "";
  if (call.terminal !== "") return call.terminal;
  // with an exit code the command ended by itself, possibly without output
  if (raw.text !== undefined && raw.exitCode !== undefined) return raw.text;
  // Content that described the call before it ran is not output; only this update's content is.
  const content = toToolText(arrayField(update, "content") ?? []);
  if (content !== "") return content;
  return raw.error ?? raw.text ?? toUnknownText(call, update);
}

function findOutput(call: AcpCall, update: JsonObject, raw: RawOutput, hasFailed: boolean): string {
  const content = toToolText(arrayField(update, "content") ?? []);
  // Some agents' content is the raw text in a code fence; the raw field has the tool's own output.
  const found = [typeof update.rawOutput === "string" ? update.rawOutput : "", call.terminal, content, raw.error ?? "", raw.text ?? ""];
  const [first = ""] = found.filter((text) => text !== "");
  // Failures use the longest form: Qwen Code's raw one omits the path.
  const longest = hasFailed ? found.map(withoutFences).reduce((best, text) => (text.length > best.length ? text : best), first) : first;
  return longest === "" ? toUnknownText(call, update) : longest;
}

function withoutFences(text: string): string {
  const [, inner] = /^```[^\n`]{0,40}\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  return inner ?? text;
}

/** An unknown form is shown verbatim if nothing else shows the result. */
function toUnknownText(call: AcpCall, { rawOutput }: JsonObject): string {
  if (typeof rawOutput !== "object" || rawOutput === null || call.response !== null || call.diffs.length > 0) return "";
  const { text, error, exitCode, patch } = readRawOutput(rawOutput);
  if (text !== undefined || error !== undefined || exitCode !== undefined || patch !== undefined) return "";
  if (Object.keys(rawOutput).length === 0) return "";
  try {
    return JSON.stringify(rawOutput, null, 2).slice(0, maxUnknownLength);
  } catch {
    return ""; // nested too deeply to be written
  }
}

function toStructured(call: AcpCall, update: JsonObject, raw: RawOutput): JsonValue | undefined {
  if (call.response !== null) return call.response;
  const rawOutput = objectField(update, "rawOutput");
  const metadata = objectField(rawOutput, "metadata");
  if (metadata !== undefined) return toOpencodeStructured(toCallName(call), { output: stringField(rawOutput, "output") ?? "", metadata });
  if (call.diffs.length > 0) return { changes: call.diffs.map((diff) => toChange(diff, call, raw)) };
  // Unknown without a code: several agents report a failed command as completed.
  return call.kind === "execute" ? { exitCode: call.exitCode ?? null } : toExitCode(call);
}

/** The replaced lines are not at the start of the file: the agent's own diff has their position. */
function toChange(diff: AcpDiff, call: AcpCall, { patch }: RawOutput): JsonValue {
  const isSnippet = diff.kind === "update" && "oldText" in diff && call.replacedText === hashText(diff.oldText);
  if (!isSnippet) return { ...diff };
  return patch !== undefined && call.diffs.length === 1 ? { path: diff.path, kind: diff.kind, diff: patch } : { ...diff, scope: "snippet" };
}

function toExitCode({ exitCode }: AcpCall): JsonValue | undefined {
  return exitCode === undefined ? undefined : { exitCode };
}
