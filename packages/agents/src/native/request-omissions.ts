import type { AssistantMessage, ImagePart, LeftOut, MessageBody, TextPart, ToolMessage, ToolResultPart } from "@skein/contracts";
import type { ModelError, ModelRequest } from "@skein/engine";
import { cutToolOutputs, type OutputPruning } from "./cut-tool-outputs.ts";

/** The content of a request, without the tools. */
export type RequestContent = Pick<ModelRequest, "messages" | "reasoningEffort">;

/** Parts of a conversation that are not sent because the provider rejected them. Stored messages are not changed. */
export interface RequestOmissions {
  effort: boolean;
  reasoning: boolean;
  images: boolean;
  /** Calls and results become text. */
  toolCalls: boolean;
  outputs: OutputPruning;
}

export const noOmissions: Readonly<RequestOmissions> = {
  effort: false,
  reasoning: false,
  images: false,
  toolCalls: false,
  outputs: "none",
};

export function applyOmissions(content: RequestContent, omissions: RequestOmissions): RequestContent {
  const { reasoningEffort, messages } = content;
  const effort = reasoningEffort === undefined || omissions.effort ? {} : { reasoningEffort };
  return { messages: withoutOmitted(messages, omissions), ...effort };
}

function withoutOmitted(messages: readonly MessageBody[], omissions: RequestOmissions): readonly MessageBody[] {
  let result = messages;
  if (omissions.reasoning) result = result.map(withoutReasoning).filter(saysSomething);
  if (omissions.images) result = result.map(withoutImages);
  if (omissions.toolCalls) result = result.map(withCallsInWords).filter(saysSomething);
  return cutToolOutputs(result, omissions.outputs);
}

/** The next part to leave out; undefined if nothing is left that could be the cause. */
export function widenOmissions(
  error: ModelError,
  content: RequestContent,
  omissions: RequestOmissions,
): { omissions: RequestOmissions; leftOut: LeftOut } | undefined {
  const sent = JSON.stringify(applyOmissions(content, omissions));
  for (const [change, leftOut] of toCandidates(error, omissions)) {
    const wider = { ...omissions, ...change };
    if (JSON.stringify(applyOmissions(content, wider)) !== sent) return { omissions: wider, leftOut };
  }
  return undefined;
}

type Candidate = [change: Partial<RequestOmissions>, leftOut: LeftOut];

const effort: Candidate = [{ effort: true }, "effort"];
const thoughts: Candidate = [{ reasoning: true }, "thoughts"];
const images: Candidate = [{ images: true }, "images"];
const thoughtsAndImages: Candidate = [{ reasoning: true, images: true }, "thoughts-and-images"];
// The last resort: thoughts belong to calls, so without calls they are left out, too.
const callsInWords: Candidate = [{ reasoning: true, images: true, toolCalls: true }, "calls"];

const olderOutputs: Candidate = [{ outputs: "old" }, "older-outputs"];
const allOutputs: Candidate = [{ outputs: "all" }, "outputs"];

/** In the order in which they are tried. Omitted parts are never restored; otherwise requests could alternate forever. */
function toCandidates({ kind, part }: ModelError, { outputs }: RequestOmissions): Candidate[] {
  if (kind === "context-too-long") return outputs === "none" ? [olderOutputs, allOutputs] : [allOutputs];
  if (kind !== "bad-request") return [];
  switch (part) {
    case "effort":
      return [effort, thoughts, thoughtsAndImages, callsInWords];
    case "reasoning":
      return [thoughts, effort, thoughtsAndImages, callsInWords];
    case "image":
      return [images, thoughtsAndImages, callsInWords];
    case "tool-call":
      return [callsInWords];
    default:
      return [effort, thoughtsAndImages, callsInWords];
  }
}

function withoutReasoning(body: MessageBody): MessageBody {
  if (body.role !== "assistant" || typeof body.content === "string") return body;
  return { ...body, content: body.content.filter((part) => part.type !== "reasoning") };
}

const imageNote: TextPart = { type: "text", text: "[an image was here]" };
const toNote = (part: TextPart | ImagePart): TextPart => (part.type === "image" ? imageNote : part);

function withoutImages(body: MessageBody): MessageBody {
  if (body.role === "user") return typeof body.content === "string" ? body : { ...body, content: body.content.map(toNote) };
  if (body.role !== "tool") return body;
  const withoutImage = (part: ToolResultPart): ToolResultPart =>
    typeof part.result === "string" ? part : { ...part, result: part.result.map(toNote) };
  return { ...body, content: body.content.map(withoutImage) };
}

function withCallsInWords(body: MessageBody): MessageBody {
  if (body.role === "tool") return { role: "user", content: describeResults(body) };
  if (body.role !== "assistant" || body.toolCalls === undefined) return body;
  const { toolCalls, content } = body;
  const calls = toolCalls.map((call) => `[I called ${call.function.name} with ${call.function.arguments || "{}"}]`);
  return { role: "assistant", content: [toText(content), ...calls].filter((text) => text !== "").join("\n") };
}

function describeResults({ content }: ToolMessage): string {
  return content.map(({ toolName, result }) => `[${toolName} returned]\n${toText(result)}`).join("\n");
}

/** The text of a message or result, without images. */
export function toText(content: AssistantMessage["content"] | ToolResultPart["result"]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** An assistant message that becomes empty would be rejected by providers. */
function saysSomething(body: MessageBody): boolean {
  return body.role !== "assistant" || (body.toolCalls?.length ?? 0) > 0 || toText(body.content).trim() !== "";
}
