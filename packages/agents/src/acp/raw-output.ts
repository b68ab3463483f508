import type { JsonValue } from "@skein/contracts";
import { arrayField, asObject, numberField, objectField, stringField } from "@skein/engine";
import { toContentText } from "./acp-content.ts";

/** What an update's `rawOutput` reports. The protocol leaves its form to the agent; each of these was recorded. */
export interface RawOutput {
  /** The tool's output or return value; undefined if not reported. */
  text: string | undefined;
  /** Why it failed. */
  error: string | undefined;
  /** Undefined: not reported. Null: a signal ended the command. */
  exitCode: number | null | undefined;
  end: "cancelled" | "rejected" | undefined;
  /** The change, as a unified diff with the file's line numbers. */
  patch: string | undefined;
}

const nothing: RawOutput = { text: undefined, error: undefined, exitCode: undefined, end: undefined, patch: undefined };

/** Codex reports all of it under three names; `output` is used by Qwen and opencode, `content` by Copilot and pi. */
const textNames = ["output", "aggregated_output", "formatted_output", "content", "text", "stdout"];

export function readRawOutput(value: JsonValue | undefined): RawOutput {
  if (typeof value === "string") return { ...nothing, text: value };
  if (Array.isArray(value)) return { ...nothing, text: toBlocksText(value) };
  const object = asObject(value);
  if (object === undefined) return nothing;
  const text = stringField(object, ...textNames) ?? toBlocksText(arrayField(object, "content") ?? []);
  const error = stringField(object, "error", "message") ?? stringField(objectField(object, "error"), "message");
  return { text, error, exitCode: findExitCode(object), end: findEnd(object), patch: findPatch(object) };
}

function toBlocksText(blocks: readonly JsonValue[]): string | undefined {
  const texts = blocks.map(toContentText).filter((text) => text !== "");
  return texts.length === 0 ? undefined : texts.join("\n");
}

function findExitCode(object: JsonValue): number | null | undefined {
  const signal = asObject(object)?.signal;
  // Qwen reports code 0 for a command that was ended by a signal
  if (typeof signal === "number" || (typeof signal === "string" && signal !== "")) return null;
  const code = numberField(object, "exit_code", "exitCode");
  if (code !== undefined) return code;
  const exit = arrayField(object, "contents")?.find((entry) => stringField(entry, "type") === "shell_exit");
  return numberField(exit, "exitCode");
}

function findEnd(object: JsonValue): RawOutput["end"] {
  switch (stringField(object, "outcome", "code")) {
    case "cancelled":
    case "aborted":
      return "cancelled";
    case "rejected":
      return "rejected";
    default:
      return undefined;
  }
}

function findPatch(object: JsonValue): string | undefined {
  const patch = stringField(object, "fileDiff") ?? stringField(object, "detailedContent");
  return patch !== undefined && /^@@ -\d/m.test(patch) ? patch : undefined;
}
