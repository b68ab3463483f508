import type { Usage } from "@skein/contracts";

/** "1,200 tokens in, 340 out, $0.02"; only what was reported, no cost where there was none; undefined when nothing was. */
export function formatUsage(usage: Usage): string | undefined {
  const count = (tokens: number) => tokens.toLocaleString("en-US");
  const parts = [
    usage.inputTokens === undefined ? undefined : `${count(usage.inputTokens)} tokens in`,
    usage.outputTokens === undefined ? undefined : `${count(usage.outputTokens)} ${usage.inputTokens === undefined ? "tokens out" : "out"}`,
    !usage.costUsd ? undefined : `$${usage.costUsd.toFixed(usage.costUsd < 0.1 ? 4 : 2)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}
