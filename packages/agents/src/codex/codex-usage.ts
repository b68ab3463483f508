import type { JsonValue, Usage } from "@skein/contracts";
import { countField } from "@skein/engine/json-fields";

const fields = {
  inputTokens: ["input_tokens", "inputTokens"],
  outputTokens: ["output_tokens", "outputTokens"],
  reasoningTokens: ["reasoning_output_tokens", "reasoningOutputTokens"],
  cacheReadTokens: ["cached_input_tokens", "cachedInputTokens"],
  cacheWriteTokens: ["cache_write_input_tokens", "cacheWriteInputTokens"],
} as const satisfies Partial<Record<keyof Usage, readonly string[]>>;

const names = Object.keys(fields) as (keyof typeof fields)[];

export function toCodexUsage(value: JsonValue | undefined): Usage {
  const usage: Usage = {};
  for (const name of names) {
    const count = countField(value, 0, ...fields[name]);
    if (count !== undefined) usage[name] = count;
  }
  return usage;
}

/** Codex counts over the whole thread: the usage of one execution is the difference. Never negative. */
export function subtractUsage(total: Usage, before: Usage): Usage {
  const usage: Usage = {};
  for (const name of names) {
    const count = total[name];
    if (count !== undefined) usage[name] = Math.max(0, count - (before[name] ?? 0));
  }
  return usage;
}
