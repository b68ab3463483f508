import { checkFunctionPairs } from "./gemini/function-pairs.ts";
import { checkNames } from "./gemini/names.ts";
import { parseGeminiRequest } from "./gemini/request.ts";
import { checkThoughtSignatures } from "./gemini/thought-signatures.ts";
import { checkTurns } from "./gemini/turns.ts";
import type { Violation } from "./violation.ts";

/** Checks the body of `POST …/models/{model}:generateContent` against the rules G1 to G5; empty if the provider would accept it. */
export function checkGeminiRequest(body: unknown, model: string): Violation[] {
  const parsed = parseGeminiRequest(body);
  if (!parsed.ok) return parsed.violations;
  const { request } = parsed;
  return [...checkTurns(request), ...checkFunctionPairs(request), ...checkThoughtSignatures(request, model), ...checkNames(request)];
}
