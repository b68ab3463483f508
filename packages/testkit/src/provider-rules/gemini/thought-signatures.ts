import type { Violation } from "../violation.ts";
import { callsOf, type GeminiContent, type GeminiRequest, responsesOf, roleOf } from "./request.ts";

/** Gemini 3 and later reject a step of the current turn whose first call lost its signature; earlier models do not check. */
export function requiresThoughtSignatures(model: string): boolean {
  return Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3;
}

/** G4, as far as the request alone shows it: each step of the current turn has a signature on its first call. */
export function checkThoughtSignatures(request: GeminiRequest, model: string): Violation[] {
  if (!requiresThoughtSignatures(model)) return [];
  const start = currentTurnStart(request.contents);
  return request.contents.flatMap((content, index): Violation[] => {
    const first = callsOf(content)[0];
    if (index < start || first === undefined || (first.thoughtSignature ?? "") !== "") return [];
    const path = `contents[${index}]`;
    const message = `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.functionCall?.name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
    return [{ rule: "G4", path, message }];
  });
}

/** The current turn starts at the last text of the user; function responses continue it. */
export function currentTurnStart(contents: GeminiContent[]): number {
  return contents.findLastIndex((content) => roleOf(content) === "user" && responsesOf(content).length === 0);
}
