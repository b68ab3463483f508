import { createHash } from "node:crypto";
import type { JsonValue } from "@skein/contracts";
import {
  arrayField,
  asObject,
  isShippedToolName,
  keepEnd,
  numberField,
  objectField,
  stringField,
  takeStart,
  truncateCodePoints,
} from "@skein/engine";
import type { BlockAddress } from "../lines/assistant-blocks.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { type AcpDiff, toDiffs, toReportedDiffs, toToolText } from "./acp-content.ts";
import { readRawOutput } from "./raw-output.ts";

const maxKeptLength = 64 * 1024;
const maxTerminalLength = 32 * 1024;
const maxPaths = 5;
const maxPathLength = 400;
const maxTitleLength = 300;
const maxNameLength = 100;

/** Kinds whose card shows the complete call, whatever the tool's name. */
const ownCardKinds = new Set(["execute", "edit", "delete", "move"]);
/** Kinds that only the title describes. */
const titledKinds = new Set(["other", "think", "switch_mode"]);
const shellNames = new Set(["bash", "shell", "execute", "exec_command", "run_shell_command"]);

/** A call that has not ended, with the earlier data that its end needs: an update contains only what changed. */
export interface AcpCall extends BlockAddress {
  toolUseId: string;
  /** The tool use id of the subagent that made it. */
  parent?: string | undefined;
  /** The agent's name for the tool; null if it reports only the kind. */
  name: string | null;
  kind: string;
  title: string;
  paths: string[];
  /** Hash of the input that was shown last. */
  shownInput: string;
  /** Whether that was the tool's own input, rather than one derived from title and paths. */
  hasOwnInput: boolean;
  /** Length of the output that has been shown while the tool runs. */
  shownLength: number;
  diffs: AcpDiff[];
  /** Hash of the text that an edit replaces: a diff of only that is not a diff of the file. */
  replacedText?: string | undefined;
  terminal: string;
  /** Undefined: not reported. Null: ended by a signal. */
  exitCode?: number | null | undefined;
  /** The tool's own return value, if the agent reports it. */
  response: JsonObject | null;
  /** Its length as JSON. */
  responseLength: number;
  /** opencode reports a call of an unknown tool, or with invalid input, as "completed", with the error as output. */
  isInvalid?: boolean | undefined;
}

export function createAcpCall(toolUseId: string, address: BlockAddress): AcpCall {
  return {
    toolUseId,
    messageId: address.messageId,
    index: address.index,
    name: null,
    kind: "other",
    title: "",
    paths: [],
    shownInput: "",
    hasOwnInput: false,
    shownLength: 0,
    diffs: [],
    terminal: "",
    response: null,
    responseLength: 0,
  };
}

/** Applies an update; fields that it omits keep their values. */
export function mergeUpdate(call: AcpCall, update: JsonObject): void {
  const meta = objectField(update, "_meta");
  const claude = objectField(meta, "claudeCode");
  const title = stringField(update, "title");
  call.kind = findKind(update, call.kind);
  const invalid = findInvalidTool(update);
  if (invalid !== undefined) call.isInvalid = true;
  const reported = stringField(update, "name") ?? stringField(claude, "toolName");
  const name =
    reported ?? invalid ?? findNameInMeta(meta, call.kind) ?? findNameInTitle(update, call.kind) ?? findNameInId(update, call.kind);
  call.name ??= name === undefined ? null : takeStart(name, maxNameLength);
  if (title !== undefined) call.title = truncateCodePoints(title, maxTitleLength);
  const paths = arrayField(update, "locations")?.flatMap((location) => stringField(location, "path") ?? []);
  if (paths !== undefined && paths.length > 0) call.paths = toKeptPaths(paths);
  mergeContent(call, arrayField(update, "content"));
  mergeChanges(call, update);
  keepResponse(call, objectField(claude, "toolResponse"));
  mergeTerminal(call, update, meta);
}

/** The text that this update adds to the output of a running command. */
export function takeProgress(call: AcpCall, update: JsonObject): string {
  const delta = findTerminalOutput(objectField(update, "_meta"));
  // the rest comes with the result
  if (delta !== undefined) return isEnd(update) ? "" : delta;
  if (call.kind !== "execute" || !isRunning(update) || arrayField(update, "content") === undefined) return "";
  const text = toToolText(arrayField(update, "content") ?? []);
  const added = text.slice(call.shownLength);
  call.shownLength = Math.max(call.shownLength, text.length);
  return added;
}

/** `data` is always what was printed since the previous update: the two names are those of two agents. */
function findTerminalOutput(meta: JsonObject | undefined): string | undefined {
  return stringField(objectField(meta, "terminal_output_delta") ?? objectField(meta, "terminal_output"), "data");
}

function isEnd(update: JsonObject): boolean {
  const status = stringField(update, "status");
  return status === "completed" || status === "failed";
}

/** Before a command runs, the content describes it. Copilot sends output in updates that contain nothing else. */
function isRunning(update: JsonObject): boolean {
  const status = stringField(update, "status");
  if (status !== undefined) return status === "in_progress";
  return ["rawInput", "title", "kind", "_meta"].every((name) => !Object.hasOwn(update, name));
}

/** The tool's own input, or one derived from what is known. */
export function toCallInput(call: AcpCall, rawInput: JsonObject | undefined): JsonValue {
  if (rawInput !== undefined && Object.keys(rawInput).length > 0) {
    // no other field describes such a call
    const isUnnamed = call.name === null && titledKinds.has(call.kind) && call.title !== "" && !Object.hasOwn(rawInput, "title");
    return isUnnamed ? { title: call.title, ...rawInput } : rawInput;
  }
  const [path] = call.paths;
  const changed = call.diffs.length > 0 ? call.diffs.map((diff) => diff.path) : call.paths;
  switch (call.kind) {
    case "execute":
      return { command: call.title };
    case "edit":
    case "delete":
    case "move":
      return changed.length > 0 ? { changes: changed.map((name) => ({ path: name })) } : { title: call.title };
    case "read":
      if (path === undefined) return { title: call.title };
      // A command that only reads: the title is the command, the path is the file.
      return call.name === null ? { path } : { title: call.title, path };
    default:
      return { title: call.title, ...(path === undefined ? {} : { path }) };
  }
}

/** Kinds that change files are shown as a diff. */
export function toCallName(call: AcpCall): string {
  if (call.name !== null) return call.name;
  return call.kind === "edit" || call.kind === "delete" || call.kind === "move" ? "file_change" : call.kind;
}

/** Codex names a read-only command by its effect, but `cat notes.txt` still is a command with output and an exit code. */
function findKind(update: JsonObject, known: string): string {
  const kind = takeStart(stringField(update, "kind") ?? known, maxNameLength);
  const command = asObject(update.rawInput)?.command;
  const isCommand = (kind === "read" || kind === "search") && Array.isArray(command) && command.length > 0;
  return isCommand || (known === "execute" && (kind === "read" || kind === "search")) ? "execute" : kind;
}

/** Qwen Code reports the name with each call. Specific kinds take precedence: their cards support every agent's input. */
function findNameInMeta(meta: JsonObject | undefined, kind: string): string | undefined {
  return ownCardKinds.has(kind) ? undefined : stringField(meta, "toolName");
}

/**
 * opencode and pi start a call with the tool's bare name as title. For other agents a one-word title is a command or a file: it counts as
 * a name only if Skein knows it and the kind matches that tool.
 */
function findNameInTitle(update: JsonObject, kind: string): string | undefined {
  const input = asObject(update.rawInput);
  if (stringField(update, "sessionUpdate") !== "tool_call" || input === undefined) return undefined;
  const title = stringField(update, "title") ?? "";
  if (!/^[a-z][a-z0-9_-]{0,60}$/.test(title) || !isShippedToolName(title)) return undefined;
  return (kind === "execute") === shellNames.has(title) ? title : undefined;
}

/** Gemini CLI includes the name only in its ids: `glob__glob_1794772368626_1`. Specific kinds take precedence. */
function findNameInId(update: JsonObject, kind: string): string | undefined {
  const [, name] = /^([a-z_]{1,60})__\1_\d+_\d+$/.exec(stringField(update, "toolCallId") ?? "") ?? [];
  return name !== undefined && (kind === "search" || kind === "read") && isShippedToolName(name) ? name : undefined;
}

function findInvalidTool(update: JsonObject): string | undefined {
  const title = stringField(update, "title");
  const input = objectField(update, "rawInput");
  if (title !== "invalid" && title !== "Invalid Tool") return undefined;
  return stringField(input, "error") === undefined ? undefined : stringField(input, "tool");
}

function mergeContent(call: AcpCall, content: JsonValue[] | undefined): void {
  if (content === undefined) return;
  const diffs = toDiffs(content);
  // A file that is too large to keep is listed without its text.
  if (diffs.length > 0) call.diffs = JSON.stringify(diffs).length <= maxKeptLength ? diffs : [];
  if (diffs.length > 0 && call.diffs.length === 0) call.paths = toKeptPaths(diffs.map((diff) => diff.path));
}

/** Codex reports patches with the file's line numbers; the diffs in its content contain only the lines around a change. */
function mergeChanges(call: AcpCall, update: JsonObject): void {
  const diffs = toReportedDiffs(objectField(objectField(update, "rawOutput") ?? objectField(update, "rawInput"), "changes"));
  if (diffs.length > 0 && JSON.stringify(diffs).length <= maxKeptLength) call.diffs = diffs;
  const input = objectField(update, "rawInput");
  const oldText = stringField(input, "old_str", "old_string", "oldText", "oldString");
  if (oldText !== undefined) call.replacedText = hashText(oldText);
}

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function mergeTerminal(call: AcpCall, update: JsonObject, meta: JsonObject | undefined): void {
  const delta = findTerminalOutput(meta);
  if (delta !== undefined) call.terminal = keepEnd(call.terminal + delta, maxTerminalLength);
  const exit = objectField(meta, "terminal_exit");
  const code = numberField(exit, "exit_code") ?? readRawOutput(update.rawOutput).exitCode;
  if (code !== undefined) call.exitCode = code;
  else if (exit !== undefined) call.exitCode = null;
}

function toKeptPaths(paths: readonly string[]): string[] {
  return paths.filter((path) => path.length <= maxPathLength).slice(0, maxPaths);
}

/** Memory that the call takes, in characters. */
export function measureCall({ diffs, responseLength, terminal }: AcpCall): number {
  const texts = diffs.reduce((sum, diff) => sum + JSON.stringify(diff).length, 0);
  return texts + terminal.length + responseLength;
}

/** Keeps the call itself, without its changes and output. */
export function stripCall(call: AcpCall): void {
  if (call.paths.length === 0) call.paths = toKeptPaths(call.diffs.map((diff) => diff.path));
  call.diffs = [];
  call.response = null;
  call.responseLength = 0;
  call.terminal = keepEnd(call.terminal, 1024);
}

function keepResponse(call: AcpCall, response: JsonObject | undefined): void {
  if (response === undefined) return;
  try {
    const { length } = JSON.stringify(response);
    if (length > maxKeptLength) return;
    call.response = response;
    call.responseLength = length;
  } catch {
    // Nested too deeply to be serialized: the text of the result is still shown.
  }
}
