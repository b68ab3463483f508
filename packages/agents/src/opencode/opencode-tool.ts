import type { AgentOutput, ImagePart, JsonValue } from "@skein/contracts";
import { arrayField, objectField, stringField, takeStart } from "@skein/engine";
import { toOpencodeEndState, toOpencodeStructured } from "../acp/opencode-result.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toImagePart } from "../mcp/to-image-part.ts";

const maxNameLength = 200;

type ToolResult = Pick<Extract<AgentOutput, { type: "tool-result" }>, "output" | "isError" | "state" | "structured" | "images">;

/** A part of type `tool`: a call with the state that it is in. */
export interface OpencodeTool {
  callId: string | undefined;
  toolName: string;
  status: string;
  state: JsonObject;
  input: JsonValue;
  /** A tool that does not exist, or input that does not fit, becomes a call of `invalid` that "completes" with the error. */
  isInvalid: boolean;
}

export function parseOpencodeTool(part: JsonObject): OpencodeTool | undefined {
  const tool = stringField(part, "tool");
  const state = objectField(part, "state");
  if (tool === undefined || state === undefined) return undefined;
  const isInvalid = tool === "invalid";
  const toolName = takeStart(isInvalid ? (stringField(state.input, "tool") ?? tool) : tool, maxNameLength);
  const status = stringField(state, "status") ?? "";
  return { callId: stringField(part, "callID"), toolName, status, state, input: state.input ?? {}, isInvalid };
}

/** What a call that is over has returned. */
export function toOpencodeResult({ toolName, status, state, isInvalid }: OpencodeTool): ToolResult {
  const metadata = objectField(state, "metadata");
  if (status !== "completed") {
    const error = stringField(state, "error") ?? "";
    return { output: error, isError: true, state: toOpencodeEndState(error, metadata) };
  }
  const output = stringField(state, "output") ?? "";
  if (isInvalid) return { output, isError: true };
  const images = (arrayField(state, "attachments") ?? []).flatMap(toImages);
  return {
    output,
    isError: false,
    structured: toOpencodeStructured(toolName, { output, metadata }),
    ...(images.length === 0 ? {} : { images }),
  };
}

function toImages(attachment: JsonValue): ImagePart[] {
  const base64 = /^data:image\/[\w.+-]+;base64,/.exec(stringField(attachment, "url") ?? "");
  if (base64 === null) return [];
  const image = toImagePart(base64.input.slice(base64[0].length));
  return image === undefined ? [] : [image];
}
