import type { AgentOutput, JsonValue, ToolExecutionEndState } from "@skein/contracts";
import { arrayField, asObject, objectField, stringField } from "@skein/engine";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { refusalStart } from "./claude-code-requests.ts";
import { toResultContent } from "./result-content.ts";

type ToolResult = Extract<AgentOutput, { type: "tool-result" }>;

/** What else the decoder knows about the tool use of a result. */
export interface ResultCircumstances {
  /** The user was asked, the request was not withdrawn, and it was not allowed. */
  wasAsked(toolUseId: string): boolean;
}

/** The blocks of a message that contain tool results. */
export function listToolResults(message: JsonObject): JsonValue[] {
  return (arrayField(message, "content") ?? []).filter((block) => stringField(block, "type") === "tool_result");
}

/** The results in a user line. Other content of such lines is the user's text, or text that Claude Code adds in their name. */
export function readToolResults(
  line: JsonObject,
  blocks: readonly JsonValue[],
  context: LineContext,
  circumstances: ResultCircumstances,
): ToolResult[] {
  return blocks.map((block) => {
    const toolUseId = stringField(block, "tool_use_id");
    const { output, images } = toResultContent(asObject(block)?.content);
    const isError = asObject(block)?.is_error === true;
    // A line has one `tool_use_result`: with several results its owner is unknown.
    const structured = blocks.length === 1 ? readStructured(line.tool_use_result) : undefined;
    const state = toEndState({ line, toolUseId, output, isError, structured, circumstances });
    const result: ToolResult = { type: "tool-result", resultId: context.ids.next(), output, isError, at: context.at };
    if (toolUseId !== undefined) result.toolUseId = toolUseId;
    if (state !== undefined) result.state = state;
    if (structured !== undefined) result.structured = structured;
    if (images.length > 0) result.images = images;
    return result;
  });
}

/** For errors it is a string that repeats the content. */
function readStructured(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}

const rejection = "The user doesn't want to proceed with this tool use.";
const interruption = "[Request interrupted by user for tool use]";
const notGranted = /^Claude requested permissions to [\s\S]* but you haven't granted it yet\./;

/** Distinguishes denials and interruptions from failures; undefined for plain success and failure. */
function toEndState(result: {
  line: JsonObject;
  toolUseId: string | undefined;
  output: string;
  isError: boolean;
  structured: JsonValue | undefined;
  circumstances: ResultCircumstances;
}): ToolExecutionEndState | undefined {
  const { toolUseId, output, isError } = result;
  if (!isError) return asObject(result.structured)?.interrupted === true ? "interrupted" : undefined;
  const meta = arrayField(result.line, "tool_result_meta")?.find((item) => stringField(item, "id") === toolUseId);
  if (stringField(objectField(meta, "permission_decision"), "decision") === "reject") return "denied";
  if (notGranted.test(output)) return "denied";
  if (output.endsWith(interruption)) return "interrupted"; // the wording of 1.0 to 2.1.112
  // Stopping a running tool gives the same text as denying it: only the request distinguishes them.
  const wasRejected =
    stringField(meta, "non_execution_kind") === "user-rejected" || output.startsWith(rejection) || output.startsWith(refusalStart);
  if (!wasRejected) return undefined;
  return toolUseId !== undefined && result.circumstances.wasAsked(toolUseId) ? "denied" : "interrupted";
}
