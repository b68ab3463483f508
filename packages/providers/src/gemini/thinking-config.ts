import type { ThinkingConfig, ThinkingLevel } from "@google/genai";
import type { ReasoningEffort } from "@skein/contracts";
import type { GeminiGeneration } from "./gemini-generation.ts";

/** The enum itself is part of the SDK, which is loaded with the first request. */
const levelOf: Readonly<Record<ReasoningEffort, `${ThinkingLevel}`>> = { low: "LOW", medium: "MEDIUM", high: "HIGH" };

/** In tokens: the values that Google's OpenAI-compatible API uses for these levels, accepted by every model of that generation. */
const budgetOf: Readonly<Record<ReasoningEffort, number>> = { low: 1024, medium: 8192, high: 24_576 };

export function toThinkingConfig(effort: ReasoningEffort | undefined, { hasLevels }: GeminiGeneration): ThinkingConfig {
  if (effort === undefined) return { includeThoughts: true };
  return hasLevels
    ? { includeThoughts: true, thinkingLevel: levelOf[effort] as ThinkingLevel }
    : { includeThoughts: true, thinkingBudget: budgetOf[effort] };
}
