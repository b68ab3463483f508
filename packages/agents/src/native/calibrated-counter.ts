import type { MessageEntity } from "@skein/contracts";
import { applyPruning, createTokenCounter, RequestValidationError, type TokenCounter } from "@skein/engine";
import type { NativeInput } from "./native-input.ts";
import type { BuildRequest } from "./turn.ts";

/**
 * Starts from the provider's figures for the last request of this conversation, so that the end of one execution and the start of the
 * next decide about compression by the same figures.
 */
export function createCalibratedCounter({
  input,
  systemPrompts,
  definitions,
  buildRequest,
}: {
  input: Pick<NativeInput, "model" | "history" | "compression" | "measured">;
  systemPrompts: readonly string[];
  definitions: string;
  buildRequest: BuildRequest;
}): TokenCounter {
  const { model, history, compression, measured } = input;
  const counter = createTokenCounter({ model });
  const end = history.findIndex(({ id }) => id === measured?.answerId);
  if (measured === undefined || end < 1) return counter;
  const messages: readonly MessageEntity[] = applyPruning(history.slice(0, end), compression.pruning);
  try {
    const request = buildRequest({ systemPrompts, messages, summary: compression.summary });
    const counted = counter.countAll(request) + counter.countText(definitions);
    return createTokenCounter({ model, ratio: measured.inputTokens / counted });
  } catch (error) {
    // A history that cannot be sent has not been measured; the complete one may be valid.
    if (error instanceof RequestValidationError) return counter;
    throw error;
  }
}
