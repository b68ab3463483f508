import { checkName, tooLong } from "../openai-violation.ts";
import type { Violation } from "../violation.ts";
import { itemsOf, type ResponsesItem, type ResponsesRequest } from "./request.ts";

const MAX_CALL_ID = 64;
const MAX_NAME = 128;
const PREFIX: Partial<Record<ResponsesItem["type"], string>> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
};

/** S3: ids and names. */
export function checkItemIds(request: ResponsesRequest): Violation[] {
  const seen = new Set<string>();
  const items = itemsOf(request).flatMap((item, index) => {
    const violations = checkItem(item, `input[${index}]`);
    if (typeof item.id !== "string" || item.type === "item_reference") return violations;
    if (seen.has(item.id)) violations.push(duplicate(item.id));
    seen.add(item.id);
    return violations;
  });
  const tools = (request.tools ?? []).flatMap(({ name }, at) =>
    name === undefined ? [] : checkName("S3", `tools[${at}].name`, { name, max: MAX_NAME }),
  );
  return [...items, ...tools];
}

function duplicate(id: string): Violation {
  const message = `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
  return { rule: "S3", path: "input", message };
}

function checkItem(item: ResponsesItem, path: string): Violation[] {
  const violations: Violation[] = [];
  const prefix = PREFIX[item.type];
  const expectsPrefix = prefix !== undefined && (item.type !== "message" || item.role === "assistant");
  if (expectsPrefix && typeof item.id === "string" && !item.id.startsWith(prefix)) {
    const message = `Invalid '${path}.id': '${item.id}'. Expected an ID that begins with '${prefix}'.`;
    violations.push({ rule: "S3", path: `${path}.id`, message, code: "invalid_value" });
  }
  if ("call_id" in item && typeof item.call_id === "string" && item.call_id.length > MAX_CALL_ID) {
    violations.push(tooLong("S3", `${path}.call_id`, { max: MAX_CALL_ID, length: item.call_id.length }));
  }
  if (item.type === "function_call" || item.type === "custom_tool_call") {
    violations.push(...checkName("S3", `${path}.name`, { name: item.name, max: MAX_NAME }));
  }
  return violations;
}
