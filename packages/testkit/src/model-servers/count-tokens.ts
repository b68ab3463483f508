import type { Reply, UsageReply } from "./reply.ts";

/** Four characters are a token; the base64 of an image is not counted. */
export function countTokens(value: unknown): number {
  const text = JSON.stringify(value, (key, found: unknown) => {
    const media = (key === "data" || key === "url" || key === "image_url") && typeof found === "string" && found.length > 1000;
    return media ? "" : found;
  });
  return Math.ceil((text ?? "").length / 4);
}

/** The usage that a script sets; the rest is counted. */
export function countUsage(body: unknown, reply: Reply): Required<UsageReply> {
  const reasoningTokens = reply.usage?.reasoningTokens ?? (reply.reasoning === undefined ? 0 : countTokens(reply.reasoning));
  const said = countTokens([reply.text, reply.refusal, reply.toolCalls]);
  return {
    inputTokens: reply.usage?.inputTokens ?? countTokens(body),
    cachedInputTokens: reply.usage?.cachedInputTokens ?? 0,
    cacheWriteTokens: reply.usage?.cacheWriteTokens ?? 0,
    outputTokens: reply.usage?.outputTokens ?? said + reasoningTokens,
    reasoningTokens,
  };
}
