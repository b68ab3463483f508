import type { Violation } from "../violation.ts";
import { type AnthropicMessage, type AnthropicRequest, blocksOf } from "./request.ts";

const hasCacheControl = (value: { cache_control?: unknown }) => value.cache_control !== undefined && value.cache_control !== null;

/** A8: blank text, and where and how often a cache breakpoint may be set. */
export function checkBlankText(request: AnthropicRequest): Violation[] {
  return [
    ...checkSystem(request),
    ...request.messages.flatMap((message, index) => checkMessage(message, index)),
    ...checkBreakpointCount(request),
  ];
}

function checkText(text: { text: string; cache_control?: unknown }, where: { field: string; path: string }): Violation[] {
  const violations: Violation[] = [];
  const blank = text.text.trim() === "";
  if (text.text === "") violations.push({ rule: "A8", path: where.path, message: `${where.field}: text content blocks must be non-empty` });
  else if (blank) {
    violations.push({ rule: "A8", path: where.path, message: `${where.field}: text content blocks must contain non-whitespace text` });
  }
  if (blank && hasCacheControl(text)) {
    violations.push({ rule: "A8", path: where.path, message: `${where.path}: cache_control cannot be set for empty text blocks` });
  }
  return violations;
}

function checkSystem(request: AnthropicRequest): Violation[] {
  if (request.system === undefined) return [];
  if (typeof request.system === "string") return checkText({ text: request.system }, { field: "system", path: "system" });
  return request.system.flatMap((text, at) => checkText(text, { field: "system", path: `system.${at}` }));
}

function checkMessage(message: AnthropicMessage, index: number): Violation[] {
  if (message.content.length === 0) {
    const text = `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    return [{ rule: "A8", path: `messages.${index}.content`, message: text }];
  }
  return blocksOf(message).flatMap((block, at): Violation[] => {
    const path = `messages.${index}.content.${at}`;
    if (block.type === "text") return checkText(block, { field: "messages", path });
    if (block.type === "thinking" || block.type === "redacted_thinking") {
      if (!hasCacheControl(block)) return [];
      return [{ rule: "A8", path, message: `${path}.${block.type}.cache_control: Extra inputs are not permitted` }];
    }
    if (block.type !== "tool_result") return [];
    if (block.is_error === true && (block.content ?? "").length === 0) {
      return [{ rule: "A8", path, message: `${path}.tool_result: content cannot be empty if \`is_error\` is true` }];
    }
    if (!Array.isArray(block.content)) return [];
    return block.content.flatMap((part, within) =>
      part.type === "text" ? checkText(part, { field: "messages", path: `${path}.tool_result.content.${within}` }) : [],
    );
  });
}

function checkBreakpointCount(request: AnthropicRequest): Violation[] {
  const system = typeof request.system === "string" ? [] : (request.system ?? []);
  const blocks = request.messages.flatMap((message) =>
    blocksOf(message).flatMap((block) =>
      block.type === "tool_result" && Array.isArray(block.content) ? [block, ...block.content] : [block],
    ),
  );
  const found = [request, ...system, ...(request.tools ?? []), ...blocks].filter(hasCacheControl).length;
  if (found <= 4) return [];
  return [{ rule: "A8", path: "messages", message: `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` }];
}
