import type { ImagePart, JsonValue, ToolExecutionEndState } from "@skein/contracts";
import { arrayField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { toOpencodeEndState, toOpencodeStructured } from "../opencode/opencode-result.ts";
import { type AcpCall, toCallName } from "./acp-call.ts";
import { toToolImages, toToolText } from "./acp-content.ts";

const abortedMark = "<shell_metadata>\nUser aborted the command\n</shell_metadata>";

export interface AcpResult {
  output: string;
  isError: boolean;
  state?: ToolExecutionEndState;
  structured?: JsonValue;
  images?: ImagePart[];
}

/** What a call that ended gave back: from its last update, and from what the ones before it said. */
export function toAcpResult(call: AcpCall, update: JsonObject, hasFailed: boolean): AcpResult {
  const rawOutput = objectField(update, "rawOutput");
  const isError = hasFailed || call.isInvalid === true || isAborted(rawOutput);
  const error = stringField(rawOutput, "error");
  const output = findOutput(call, update, rawOutput);
  const images = toToolImages(arrayField(update, "content") ?? []);
  const shown = images.length === 0 ? {} : { images };
  const structured = isError ? toExitCode(call) : toStructured(call, rawOutput);
  return {
    output,
    isError,
    ...(isError ? { state: toEndState(error ?? output, rawOutput) } : {}),
    ...(structured === undefined ? {} : { structured }),
    ...shown,
  };
}

/** One agent calls a command completed that was cut off when the person stopped it. */
function isAborted(rawOutput: JsonObject | undefined): boolean {
  return (stringField(rawOutput, "output") ?? "").endsWith(abortedMark);
}

/** ACP knows only "failed"; the words of the agents tell a refusal and an interruption apart. */
function toEndState(text: string, rawOutput: JsonObject | undefined): ToolExecutionEndState {
  if (isAborted(rawOutput)) return "interrupted";
  if (text.startsWith("The user doesn't want to proceed with this tool use.")) return "denied";
  return toOpencodeEndState(text, objectField(rawOutput, "metadata"));
}

function findOutput(call: AcpCall, update: JsonObject, rawOutput: JsonObject | undefined): string {
  // The content of some agents is this text between fences; the raw one is as the tool printed it.
  const raw = stringField(update, "rawOutput");
  if (raw !== undefined) return raw;
  if (call.terminal !== "") return call.terminal;
  // What described the call before it ran is no output: only this update's content is.
  const content = arrayField(update, "content");
  if (content !== undefined) return toToolText(content);
  return stringField(rawOutput, "error", "output", "formatted_output") ?? "";
}

function toStructured(call: AcpCall, rawOutput: JsonObject | undefined): JsonValue | undefined {
  if (call.response !== null) return call.response;
  const metadata = objectField(rawOutput, "metadata");
  if (metadata !== undefined) return toOpencodeStructured(toCallName(call), { output: stringField(rawOutput, "output") ?? "", metadata });
  if (call.diffs.length > 0) return { changes: call.diffs.map((diff) => ({ ...diff })) };
  // Without a code nothing is known: several agents call a failed command completed.
  return call.kind === "execute" ? { exitCode: call.exitCode ?? null } : toExitCode(call);
}

function toExitCode({ exitCode }: AcpCall): JsonValue | undefined {
  return exitCode === undefined ? undefined : { exitCode };
}
