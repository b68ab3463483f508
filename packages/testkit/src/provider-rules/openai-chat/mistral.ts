import type { Violation } from "../violation.ts";
import { type ChatRequest, toolCallsOf } from "./request.ts";

const ID = /^[a-zA-Z0-9]{9}$/;

/** M1: what Mistral's Chat Completions require beyond OpenAI's. */
export function checkMistral(request: ChatRequest): Violation[] {
  return request.messages.flatMap((message, index) => {
    const ids = message.role === "tool" ? [message.tool_call_id] : toolCallsOf(message).map((call) => call.id);
    const violations = ids.filter((id) => !ID.test(id)).map((id) => badId(id, index));
    if (message.role === "user" && request.messages[index - 1]?.role === "tool") {
      violations.push({ rule: "M1", path: `messages.[${index}].role`, message: "Unexpected role 'user' after role 'tool'", code: "3230" });
    }
    return violations;
  });
}

function badId(id: string, index: number): Violation {
  const message = `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`;
  return { rule: "M1", path: `messages.[${index}]`, message, code: "3280" };
}
