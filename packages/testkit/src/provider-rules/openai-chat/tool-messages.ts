import type { Violation } from "../violation.ts";
import { type ChatMessage, type ChatRequest, toolCallsOf } from "./request.ts";

/** C1 and C2: the tool messages directly after an assistant message answer each of its calls once, and there are no others. */
export function checkToolMessages(request: ChatRequest): Violation[] {
  const violations: Violation[] = [];
  let open: { at: number; unanswered: Set<string>; ids: Set<string> } | undefined;
  const close = () => {
    if (open !== undefined && open.unanswered.size > 0) violations.push(unanswered(open.at, [...open.unanswered]));
    open = undefined;
  };
  request.messages.forEach((message, index) => {
    if (message.role === "tool") {
      violations.push(...checkToolMessage(message, { index, open }));
      open?.unanswered.delete(message.tool_call_id);
      return;
    }
    close();
    const ids = toolCallsOf(message).map((call) => call.id);
    violations.push(...checkUniqueIds(ids, index));
    if (ids.length > 0) open = { at: index, unanswered: new Set(ids), ids: new Set(ids) };
  });
  close();
  return violations;
}

function unanswered(index: number, ids: string[]): Violation {
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`;
  return { rule: "C1", path: `messages.[${index}].role`, message };
}

function checkUniqueIds(ids: string[], index: number): Violation[] {
  return ids
    .filter((id, at) => ids.indexOf(id) !== at)
    .map((id) => ({
      rule: "C1",
      path: `messages.[${index}].tool_calls`,
      message: `Duplicate value for 'tool_call_id' of '${id}' in message[${index}]`,
    }));
}

function checkToolMessage(
  message: ChatMessage & { role: "tool" },
  { index, open }: { index: number; open: { unanswered: Set<string>; ids: Set<string> } | undefined },
): Violation[] {
  const id = message.tool_call_id;
  if (open === undefined) {
    const text = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
    return [{ rule: "C2", path: `messages.[${index}].role`, message: text }];
  }
  if (!open.ids.has(id)) {
    const text = `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`;
    return [{ rule: "C2", path: `messages.[${index}].tool_call_id`, message: text }];
  }
  if (open.unanswered.has(id)) return [];
  const text = `Duplicate value for 'tool_call_id' of '${id}' in message[${index}]`;
  return [{ rule: "C2", path: `messages.[${index}].tool_call_id`, message: text }];
}
