import type { ImagePart, MessageBody, ReasoningPart, TextPart, Usage } from "@skein/contracts";
import { countImageTokens } from "./count-image-tokens.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** Overhead of a message, and of a call or result, in tokens. */
const messageTokens = 4;
const callTokens = 8;

/** Counts everything that is sent to a model; `segments` are for display and are not sent. */
export function countBody(body: MessageBody, countText: (text: string) => number): number {
  const countParts = (content: string | readonly (TextPart | ImagePart | ReasoningPart)[]): number =>
    typeof content === "string" ? countText(content) : content.reduce((sum, part) => sum + countPart(part, countText), 0);
  if (body.role === "tool") {
    return body.content.reduce((sum, { result }) => sum + callTokens + countParts(result), messageTokens);
  }
  const calls = body.role === "assistant" ? (body.toolCalls ?? []) : [];
  return calls.reduce(
    (sum, call) => sum + callTokens + countText(call.function.name) + countText(call.function.arguments),
    messageTokens + countParts(body.content),
  );
}

/** A message's tokens in a request, without a tokenizer: as reported by its provider, otherwise an estimate. */
export function estimateMessageTokens({ body, usage }: { body: MessageBody; usage?: Usage | undefined }): number {
  return (body.role === "assistant" ? usage?.outputTokens : undefined) ?? countBody(body, estimateTokens);
}

function countPart(part: TextPart | ImagePart | ReasoningPart, countText: (text: string) => number): number {
  switch (part.type) {
    case "text":
      return countText(part.text);
    case "image":
      return countImageTokens(part);
    case "reasoning":
      return countText(part.text) + (part.providerData === undefined ? 0 : countText(JSON.stringify(part.providerData)));
  }
}
