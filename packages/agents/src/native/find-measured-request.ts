import type { Compression } from "@skein/contracts";
import type { HistoryMessage } from "@skein/engine";
import type { NativeInput } from "./native-input.ts";

/** The last answer of this model whose request has the same beginning as the next one: a compression in between invalidates it. */
export function findMeasuredRequest(
  history: readonly HistoryMessage[],
  { model, compression }: { model: string; compression: Compression },
): NativeInput["measured"] {
  if (compression.pruning !== null) return undefined;
  const answer = history.findLast(({ body }) => body.role === "assistant");
  const inputTokens = answer?.usage?.inputTokens ?? 0;
  if (answer === undefined || answer.model !== model || inputTokens === 0) return undefined;
  const { summary } = compression;
  if (summary !== null && (answer.createdAt ?? 0) <= summary.createdAt) return undefined;
  return { answerId: answer.id, inputTokens };
}
