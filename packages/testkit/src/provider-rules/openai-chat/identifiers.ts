import { checkName, tooLong, wrongType } from "../openai-violation.ts";
import type { Violation } from "../violation.ts";
import { type ChatRequest, type ChatToolCall, toolCallsOf } from "./request.ts";

const MAX_ID = 40;
const MAX_NAME = 64;

/** C4: ids, names and arguments. */
export function checkIdentifiers(request: ChatRequest): Violation[] {
  const tools = (request.tools ?? []).flatMap((tool, at) => {
    const kind = tool.type;
    const name = tool[kind]?.name;
    return name === undefined ? [] : checkName("C4", `tools[${at}].${kind}.name`, { name, max: MAX_NAME });
  });
  const messages = request.messages.flatMap((message, index) => {
    if (message.role === "tool") return checkId(message.tool_call_id, `messages[${index}].tool_call_id`);
    return toolCallsOf(message).flatMap((call, at) => checkCall(call, `messages[${index}].tool_calls[${at}]`));
  });
  return [...tools, ...messages];
}

function checkId(id: string, path: string): Violation[] {
  return id.length > MAX_ID ? [tooLong("C4", path, { max: MAX_ID, length: id.length })] : [];
}

function checkCall(call: ChatToolCall, path: string): Violation[] {
  const id = checkId(call.id, `${path}.id`);
  if (call.type === "custom") return [...id, ...checkName("C4", `${path}.custom.name`, { name: call.custom.name, max: MAX_NAME })];
  const name = checkName("C4", `${path}.function.name`, { name: call.function.name, max: MAX_NAME });
  return [...id, ...name, ...checkArguments(call.function.arguments, `${path}.function.arguments`)];
}

function checkArguments(found: unknown, path: string): Violation[] {
  if (typeof found !== "string") return [wrongType("C4", path, { expected: "string", found })];
  try {
    JSON.parse(found);
    return [];
  } catch {
    // OpenAI itself accepts any string here; compatible servers (vLLM, Mistral, llama.cpp) parse it.
    return [{ rule: "C4", path, message: `Invalid '${path}': string is not valid JSON.`, code: "invalid_value" }];
  }
}
