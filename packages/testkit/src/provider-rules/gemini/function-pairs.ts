import type { Violation } from "../violation.ts";
import { callsOf, type GeminiPart, type GeminiRequest, responsesOf, roleOf } from "./request.ts";

const UNEQUAL =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
const MISPLACED = "Please ensure that function response turn comes immediately after a function call turn.";

/** G1: the one turn after a call turn answers each call, by id where there is one and by name; no other turn holds responses. */
export function checkFunctionPairs(request: GeminiRequest): Violation[] {
  const { contents } = request;
  return contents.flatMap((content, index): Violation[] => {
    const path = `contents[${index}]`;
    const responses = responsesOf(content);
    const previous = callsOf(contents[index - 1]);
    if (responses.length > 0 && (previous.length === 0 || roleOf(content) !== "user")) return [{ rule: "G1", path, message: MISPLACED }];
    const calls = callsOf(content);
    if (calls.length === 0 || answersEach(calls, responsesOf(contents[index + 1]))) return [];
    return [{ rule: "G1", path, message: UNEQUAL }];
  });
}

function answersEach(calls: GeminiPart[], responses: GeminiPart[]): boolean {
  const key = (part: GeminiPart) => {
    const { id, name } = part.functionCall ?? part.functionResponse ?? { name: "" };
    return JSON.stringify([id ?? null, name]);
  };
  const left = responses.map(key).sort();
  return left.join() === calls.map(key).sort().join();
}
