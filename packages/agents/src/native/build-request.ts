import { type RequestLogger, RequestMessageBuilder, type RequestStep } from "@skein/engine";
import type { BuildRequest } from "./turn.ts";

/** `logger` and `onStep` get each step's message count (R7). */
export function createBuildRequest(options: { logger?: RequestLogger; onStep?: (step: RequestStep) => void } = {}): BuildRequest {
  const builder = new RequestMessageBuilder(options);
  return ({ systemPrompts, messages, summary }) =>
    builder.setSystemPrompts(systemPrompts).setMessages(messages).setCompressionSummary(summary).build();
}

export const buildRequest = createBuildRequest();
