import { repair } from "./repair.ts";
import type { RepairChange } from "./repair-change.ts";

/** A language model middleware of the AI SDK 6. */
export interface RepairMiddleware {
  specificationVersion: "v3";
  transformParams<Params extends { prompt: object[] }>(options: { params: Params }): Promise<Params>;
}

/**
 * A middleware for the AI SDK that repairs the prompt of every request.
 *
 * @example
 * const model = wrapLanguageModel({ model: anthropic("claude-sonnet-5"), middleware: repairMiddleware() });
 */
export function repairMiddleware({ onRepair }: { onRepair?: (changes: RepairChange[]) => void } = {}): RepairMiddleware {
  return {
    specificationVersion: "v3",
    async transformParams({ params }) {
      const { messages, changes } = repair(params.prompt, { provider: "ai-sdk" });
      if (changes.length > 0) onRepair?.(changes);
      return messages === params.prompt ? params : { ...params, prompt: messages };
    },
  };
}
