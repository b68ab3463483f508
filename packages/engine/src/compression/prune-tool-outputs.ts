import type { MessageEntity } from "@skein/contracts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type CompressionInput, listUncompressed, measureRequest } from "./compression-input.ts";
import { findTurnStart } from "./find-cut-points.ts";
import { applyPruning, type Pruning, pruneResult } from "./pruning.ts";

/** The result of `pruneToolOutputs`. */
export interface PruningPlan {
  /** Includes earlier pruning; null if there is none. */
  pruning: Pruning | null;
  /** Number of additionally pruned outputs. */
  prunedCount: number;
  tokensBefore: number;
  tokensAfter: number;
  fits: boolean;
}

/**
 * Prunes tool outputs, oldest first, until a request takes at most `budget` tokens. Deterministic, and needs no model. Never changes the
 * current turn, nor an output that is shorter than its marker.
 */
export function pruneToolOutputs({ counter, budget, ...input }: CompressionInput & { counter: TokenCounter; budget: number }): PruningPlan {
  const tokensBefore = measureRequest(input, counter).tokens;
  const results = [...(input.pruning?.results ?? [])];
  const knownCount = results.length;
  let tokens = tokensBefore;
  const uncompressed = applyPruning(listUncompressed(input), input.pruning);
  for (const message of uncompressed.slice(0, findTurnStart(uncompressed, 1) ?? 0)) {
    for (const { toolCallId, saved } of listSavings(message, counter)) {
      if (tokens <= budget) break;
      if (input.pruning?.results.some((known) => known.messageId === message.id && known.toolCallId === toolCallId)) continue;
      results.push({ messageId: message.id, toolCallId });
      tokens -= saved;
    }
  }
  const pruning = results.length === 0 ? null : results.length === knownCount ? input.pruning : { results };
  const tokensAfter = measureRequest({ ...input, pruning }, counter).tokens;
  return { pruning, prunedCount: results.length - knownCount, tokensBefore, tokensAfter, fits: tokensAfter <= budget };
}

function listSavings({ id, body }: MessageEntity, counter: TokenCounter): { toolCallId: string; saved: number }[] {
  if (body.role !== "tool") return [];
  return body.content.flatMap((part) => {
    const before = counter.count({ role: "tool", content: [part] });
    const saved = before - counter.count({ role: "tool", content: [pruneResult(part, id)] });
    return saved > 0 ? [{ toolCallId: part.toolCallId, saved }] : [];
  });
}
