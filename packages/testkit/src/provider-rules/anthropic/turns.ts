import type { Violation } from "../violation.ts";
import { type AnthropicRequest, blocksOf } from "./request.ts";

const ASSISTANT_ONLY = new Set(["tool_use", "thinking", "redacted_thinking", "server_tool_use"]);
const USER_ONLY = new Set(["tool_result", "image", "document"]);

/** A10 and A13: the order of roles, and which blocks belong to which role. */
export function checkTurns(request: AnthropicRequest, allowed: { systemMessages: boolean }): Violation[] {
  const violations: Violation[] = [];
  let previous: string | undefined;
  request.messages.forEach(({ role }, index) => {
    const path = `messages.${index}`;
    if (role === "system") {
      if (!allowed.systemMessages) violations.push({ rule: "A13", path, message: unexpectedSystemMessage });
      return;
    }
    if (previous === undefined && role !== "user") {
      violations.push({ rule: "A13", path, message: 'messages: first message must use the "user" role' });
    }
    if (role === previous) {
      const message = `messages: roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`;
      violations.push({ rule: "A13", path, message });
    }
    previous = role;
  });
  if (previous === "assistant") {
    const message = "This model does not support assistant message prefill. The conversation must end with a user message.";
    violations.push({ rule: "A10", path: `messages.${request.messages.length - 1}`, message });
  }
  return [...violations, ...checkBlockRoles(request)];
}

const unexpectedSystemMessage =
  'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';

function checkBlockRoles(request: AnthropicRequest): Violation[] {
  return request.messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, at): Violation[] => {
      const path = `messages.${index}.content.${at}`;
      const misplaced = message.role === "assistant" ? USER_ONLY.has(block.type) : ASSISTANT_ONLY.has(block.type);
      if (!misplaced) return [];
      const owner = message.role === "assistant" ? "user" : "assistant";
      return [{ rule: "shape", path, message: `${path}: \`${block.type}\` blocks can only be in \`${owner}\` messages` }];
    }),
  );
}
