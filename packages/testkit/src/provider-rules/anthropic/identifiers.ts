import { findLoneSurrogate } from "../find-lone-surrogate.ts";
import type { Violation } from "../violation.ts";
import { type AnthropicRequest, blocksOf } from "./request.ts";

const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** A12 for every string: the provider's JSON parser rejects lone surrogates before it reads anything else. */
export function checkUnicode(body: unknown): Violation[] {
  const path = findLoneSurrogate(body);
  if (path === undefined) return [];
  const column = JSON.stringify(body).search(/\\ud[89a-f]/i) + 1;
  const message = `The request body is not valid JSON: no low surrogate in string: line 1 column ${column} (char ${column - 1})`;
  return [{ rule: "A12", path, message }];
}

/** A12 for ids and tool names. */
export function checkIdentifiers(request: AnthropicRequest): Violation[] {
  const tools = (request.tools ?? []).flatMap((tool, at) =>
    tool.name === undefined ? [] : checkPattern(tool.name, NAME, `tools.${at}.custom.name`),
  );
  const blocks = request.messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, at) => {
      const path = `messages.${index}.content.${at}.${block.type}`;
      if (block.type === "tool_use")
        return [...checkPattern(block.id, ID, `${path}.id`), ...checkPattern(block.name, NAME, `${path}.name`)];
      return block.type === "tool_result" ? checkPattern(block.tool_use_id, ID, `${path}.tool_use_id`) : [];
    }),
  );
  return [...tools, ...blocks, ...checkUniqueNames(request)];
}

function checkPattern(value: string, pattern: RegExp, path: string): Violation[] {
  if (pattern.test(value)) return [];
  return [{ rule: "A12", path, message: `${path}: String should match pattern '${pattern.source}'` }];
}

function checkUniqueNames(request: AnthropicRequest): Violation[] {
  const names = (request.tools ?? []).flatMap((tool) => (tool.name === undefined ? [] : [tool.name]));
  if (new Set(names).size === names.length) return [];
  return [{ rule: "A12", path: "tools", message: "tools: Tool names must be unique." }];
}
