import type { MessageEntity } from "@skein/contracts";
import { type RequestLogger, RequestMessageBuilder, type RequestStep } from "@skein/engine";
import type { BuildRequest } from "./turn.ts";

/** `logger` and `onStep` get each step's message count (R7). */
export function createBuildRequest(options: { logger?: RequestLogger; onStep?: (step: RequestStep) => void } = {}): BuildRequest {
  // A conversation's list of messages only grows: its builder repeats only what is new.
  const builders = new WeakMap<readonly MessageEntity[], RequestMessageBuilder>();
  return ({ systemPrompts, messages, summary }) => {
    const builder = builders.get(messages) ?? new RequestMessageBuilder(options);
    builders.set(messages, builder);
    return builder.setSystemPrompts(systemPrompts).setMessages(messages).setCompressionSummary(summary).buildView();
  };
}

export const buildRequest = createBuildRequest();
