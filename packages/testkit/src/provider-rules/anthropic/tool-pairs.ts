import type { Violation } from "../violation.ts";
import { type AnthropicBlock, type AnthropicMessage, type AnthropicRequest, blocksOf } from "./request.ts";

/** A1 to A7: calls and their results. */
export function checkToolPairs(request: AnthropicRequest): Violation[] {
  return [
    ...request.messages.flatMap((message, index) => [
      ...checkAnswered(message, request.messages[index + 1], index),
      ...checkNothingAfterCalls(message, index),
      ...checkResults(message, request.messages[index - 1], index),
    ]),
    ...checkUniqueIds(request),
    ...checkToolsDeclared(request),
  ];
}

function callIds(message: AnthropicMessage | undefined): string[] {
  if (message?.role !== "assistant") return [];
  return blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}

function resultIds(message: AnthropicMessage | undefined): string[] {
  if (message?.role !== "user") return [];
  return blocksOf(message).flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
}

function unansweredMessage(index: number, ids: string[]): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function checkAnswered(message: AnthropicMessage, next: AnthropicMessage | undefined, index: number): Violation[] {
  const answered = new Set(resultIds(next));
  const missing = callIds(message).filter((id) => !answered.has(id));
  if (missing.length === 0) return [];
  return [{ rule: "A1", path: `messages.${index}`, message: unansweredMessage(index, missing) }];
}

function checkNothingAfterCalls(message: AnthropicMessage, index: number): Violation[] {
  if (message.role !== "assistant") return [];
  const blocks = blocksOf(message);
  const first = blocks.findIndex((block) => block.type === "tool_use");
  if (first === -1) return [];
  const after = blocks.findIndex((block, at) => at > first && block.type !== "tool_use");
  if (after === -1) return [];
  const ids = blocks.slice(0, after).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  return [{ rule: "A2", path: `messages.${index}.content.${after}`, message: unansweredMessage(index, ids) }];
}

function checkResults(message: AnthropicMessage, previous: AnthropicMessage | undefined, index: number): Violation[] {
  if (message.role !== "user") return [];
  const calls = new Set(callIds(previous));
  const blocks = blocksOf(message);
  const seen = new Set<string>();
  const violations: Violation[] = [];
  blocks.forEach((block, at) => {
    if (block.type !== "tool_result") return;
    const path = `messages.${index}.content.${at}`;
    const id = block.tool_use_id;
    if (!calls.has(id)) violations.push({ rule: "A3", path, message: unexpectedMessage(path, id) });
    if (seen.has(id)) {
      const message = `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
      violations.push({ rule: "A6", path, message });
    }
    seen.add(id);
  });
  return [...violations, ...checkResultsFirst(blocks, index)];
}

function unexpectedMessage(path: string, id: string): string {
  return `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
}

function checkResultsFirst(blocks: AnthropicBlock[], index: number): Violation[] {
  const leading = blocks.findIndex((block) => block.type !== "tool_result");
  const late = leading === -1 ? 0 : blocks.slice(leading).filter((block) => block.type === "tool_result").length;
  if (late === 0) return [];
  const message = `messages.${index}: Did not find ${late} \`tool_result\` block(s) at the beginning of this message. Messages following \`tool_use\` blocks must begin with a matching number of \`tool_result\` blocks.`;
  return [{ rule: "A4", path: `messages.${index}`, message }];
}

function checkUniqueIds(request: AnthropicRequest): Violation[] {
  const seen = new Set<string>();
  return request.messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, at): Violation[] => {
      if (block.type !== "tool_use" && block.type !== "server_tool_use") return [];
      const path = `messages.${index}.content.${at}`;
      if (seen.has(block.id)) return [{ rule: "A5", path, message: `${path}: \`tool_use\` ids must be unique` }];
      seen.add(block.id);
      return [];
    }),
  );
}

function checkToolsDeclared(request: AnthropicRequest): Violation[] {
  if ((request.tools ?? []).length > 0) return [];
  const used = request.messages.some((message) =>
    blocksOf(message).some((block) => block.type === "tool_use" || block.type === "tool_result"),
  );
  if (!used) return [];
  return [{ rule: "A7", path: "tools", message: "Requests which include `tool_use` or `tool_result` blocks must define tools" }];
}
