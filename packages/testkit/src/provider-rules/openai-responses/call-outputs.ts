import type { Violation } from "../violation.ts";
import { itemsOf, type ResponsesRequest } from "./request.ts";

const KINDS = {
  function_call: { output: "function_call_output", call: "function call", name: "function call output" },
  custom_tool_call: { output: "custom_tool_call_output", call: "custom tool call", name: "custom tool call output" },
} as const;

/** S1: each call has one output after it, each output its call before it, functions and custom tools alike. */
export function checkCallOutputs(request: ResponsesRequest): Violation[] {
  return (["function_call", "custom_tool_call"] as const).flatMap((kind) => checkKind(request, kind));
}

function checkKind(request: ResponsesRequest, kind: keyof typeof KINDS): Violation[] {
  const { output, call, name } = KINDS[kind];
  // The calls of a stored response, or behind a reference, are not in this request.
  const continues = typeof request.previous_response_id === "string" || itemsOf(request).some((item) => item.type === "item_reference");
  const answered = new Map<string, boolean>();
  const violations: Violation[] = [];
  const report = (message: string) => violations.push({ rule: "S1", path: "input", message });
  for (const item of itemsOf(request)) {
    if (item.type === kind) {
      if (answered.has(item.call_id)) report(`Duplicate ${call} found with call_id ${item.call_id}.`);
      else answered.set(item.call_id, false);
    }
    if (item.type === output) {
      const state = answered.get(item.call_id);
      if (state === undefined && !continues) report(`No tool call found for ${name} with call_id ${item.call_id}.`);
      if (state === true) report(`Duplicate ${name} found with call_id ${item.call_id}.`);
      answered.set(item.call_id, true);
    }
  }
  for (const [id, done] of answered) if (!done) report(`No tool output found for ${call} ${id}.`);
  return violations;
}
