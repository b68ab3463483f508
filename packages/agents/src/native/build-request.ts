import type { MessageEntity } from "@skein/contracts";
import { type RequestLogger, RequestMessageBuilder, type RequestStep } from "@skein/engine";
import type { BuildRequest } from "./turn.ts";

/**
 * `logger` and `onStep` get each step's message count (R7). A conversation is recognised by its array, which grows: a request costs
 * only what is new since the one before, also while subagents send requests in between.
 */
export function createBuildRequest(options: { logger?: RequestLogger; onStep?: (step: RequestStep) => void } = {}): BuildRequest {
  const builders = new WeakMap<readonly MessageEntity[], RequestMessageBuilder>();
  return ({ systemPrompts, messages, summary }) => {
    const builder = builders.get(messages) ?? new RequestMessageBuilder(options).setMessages(messages);
    builders.set(messages, builder);
    return builder.setSystemPrompts(systemPrompts).setCompressionSummary(summary).build();
  };
}

export const buildRequest = createBuildRequest();
