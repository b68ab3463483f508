import type { Usage } from "@skein/contracts";
import { countField, numberField, objectField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { toWholeUsage } from "../lines/whole-usage.ts";

/** Tokens and cost of one step. */
export function toOpencodeUsage(part: JsonObject): Usage {
  const tokens = objectField(part, "tokens");
  const cache = objectField(tokens, "cache");
  const fields = {
    inputTokens: countField(tokens, 0, "input"),
    outputTokens: countField(tokens, 0, "output"),
    reasoningTokens: countField(tokens, 0, "reasoning"),
    cacheReadTokens: countField(cache, 0, "read"),
    cacheWriteTokens: countField(cache, 0, "write"),
  };
  const costUsd = numberField(part, "cost");
  return toWholeUsage({
    ...Object.fromEntries(Object.entries(fields).filter((entry) => entry[1] !== undefined)),
    ...(costUsd !== undefined && costUsd >= 0 ? { costUsd } : {}),
  });
}
