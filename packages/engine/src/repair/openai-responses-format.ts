import { responsesIds } from "../formats/identifiers/id-map.ts";
import type { ForeignObject } from "./foreign-object.ts";
import { type MessageFormat, toAnswer, toCall, toResult, type Unit } from "./message-format.ts";

const outputTypes: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};
const resultTypes = new Set(Object.values(outputTypes));

/** OpenAI's Responses API: calls, results and reasoning are items. The items of one answer stay together, in their order. */
export const openaiResponsesFormat: MessageFormat = {
  ids: responsesIds,
  read(items) {
    const units: Unit[] = [];
    let answer: ForeignObject[] = [];
    const flush = () => {
      if (answer.length > 0) units.push(readAnswer(answer));
      answer = [];
    };
    for (const item of items) {
      if (isResult(item)) {
        flush();
        units.push({ messages: [item], bodies: [{ role: "tool", content: [toResult(item, { id: item.call_id })] }] });
      } else if (item.role === "user" || item.role === "system" || item.role === "developer") {
        flush();
        units.push({ messages: [item], bodies: [{ role: item.role === "user" ? "user" : "system", content: "" }] });
      } else answer.push(item);
    }
    flush();
    return units;
  },
  writeHead({ messages }, callIds) {
    const ids = callIds.values();
    return messages.map((item) => (isCall(item) ? { ...item, call_id: ids.next().value } : item));
  },
  writeResults: (results) => [...results],
  renameResult: (result, id) => ({ ...result, call_id: id }),
  replaceOutput: (result, text) => ({ ...result, output: text }),
  createResult: ({ toolCallId, toolName, result }) => ({
    type: toolName.startsWith(customPrefix) ? "custom_tool_call_output" : "function_call_output",
    call_id: toolCallId,
    output: `Error: ${String(result)}`,
  }),
};

/** Marks calls of custom tools, whose results have a type of their own. No tool's name contains this character. */
const customPrefix = "\u0000";

const isCall = (item: ForeignObject) => outputTypes[String(item.type)] !== undefined;
const isResult = (item: ForeignObject) => resultTypes.has(String(item.type));

function readAnswer(items: readonly ForeignObject[]): Unit {
  const calls = items
    .filter(isCall)
    .map(({ type, call_id: id, name, arguments: text, input }) =>
      toCall({ id, name: `${type === "custom_tool_call" ? customPrefix : ""}${String(name)}`, input: text ?? input }),
    );
  return { messages: items, bodies: [toAnswer({ hasContent: true, calls })] };
}
