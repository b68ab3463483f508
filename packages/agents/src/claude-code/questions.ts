import type { JsonValue } from "@skein/contracts";
import { arrayField, asObject, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

/** Input for the user: questions in Skein's own format, so that they are answered the same way; everything else unchanged. */
export function toAsked(request: JsonObject): { toolName: string; input: JsonValue } {
  const toolName = stringField(request, "tool_name") ?? "tool";
  const input = request.input ?? {};
  const questions = arrayField(input, "questions");
  if (toolName !== "AskUserQuestion" || questions === undefined) return { toolName, input };
  return { toolName: "ask", input: { questions: questions.map(toQuestion) } };
}

function toQuestion(asked: JsonValue): JsonValue {
  const header = stringField(asked, "header");
  return {
    ...(header === undefined ? {} : { header }),
    question: stringField(asked, "question") ?? "",
    options: (arrayField(asked, "options") ?? []).map((option) => {
      const description = stringField(option, "description");
      return { label: stringField(option, "label") ?? "", ...(description === undefined ? {} : { description }) };
    }),
    multiple: asObject(asked)?.multiSelect === true,
  };
}
