import type { MessageBody } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { fillers } from "../formats/conversation/conversation.ts";
import { anthropicIds } from "../formats/identifiers/id-map.ts";
import { type ForeignObject, hasText, putFirst, toObjects } from "./foreign-object.ts";
import { type MessageFormat, toAnswer, toCall, toResult, type Unit } from "./message-format.ts";

/** Anthropic's Messages API: results are blocks at the beginning of the user message after the calls. */
export const anthropicFormat: MessageFormat = {
  ids: anthropicIds,
  opening: { role: "user", content: fillers.start },
  read: (messages) => messages.map((message) => (message.role === "assistant" ? readAnswer(message) : readUserMessage(message))),
  writeHead({ messages: [message = {}] }, callIds) {
    const ids = callIds.values();
    const blocks = toBlocks(message)
      .filter((block) => !isResult(block) && isSendable(block))
      .map((block) => (isCall(block) ? { ...block, id: ids.next().value, input: isJsonObject(block.input) ? block.input : {} } : block));
    return [{ ...message, content: blocks.length === 0 ? fillers.emptyMessage : putFirst(blocks, (block) => !isCall(block)) }];
  },
  writeResults: (results) => [{ role: "user", content: results }],
  renameResult: (result, id) => ({ ...result, tool_use_id: id }),
  replaceOutput: (result, text) => ({ ...result, content: text }),
  createResult: ({ toolCallId, result, isError }) => ({
    type: "tool_result",
    tool_use_id: toolCallId,
    content: result,
    is_error: isError === true,
  }),
  join: (first, second) =>
    first.role === second.role ? { ...first, content: putFirst([...toBlocks(first), ...toBlocks(second)], isResult) } : undefined,
};

const isResult = (block: ForeignObject) => block.type === "tool_result";
const isCall = (block: ForeignObject) => block.type === "tool_use";
const isSendable = (block: ForeignObject) => block.type !== "text" || hasText(block.text);

function toBlocks({ content }: ForeignObject): ForeignObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : toObjects(content);
}

function readUserMessage(message: ForeignObject): Unit {
  const blocks = toBlocks(message);
  const results = blocks.filter(isResult);
  const bodies: MessageBody[] = [];
  if (results.length > 0) bodies.push({ role: "tool", content: results.map((block) => toResult(block, { id: block.tool_use_id })) });
  if (results.length === 0 || results.length < blocks.length) bodies.push({ role: "user", content: "" });
  const isMalformed = blocks.length === 0 || !blocks.every(isSendable) || blocks.findLastIndex(isResult) >= results.length;
  return { messages: [message], bodies, isMalformed };
}

function readAnswer(message: ForeignObject): Unit {
  const blocks = toBlocks(message);
  const calls = blocks.filter(isCall);
  const hasContent = blocks.some((block) => !isCall(block) && isSendable(block));
  const followsCall = calls.length > 0 && blocks.findIndex(isCall) < blocks.length - calls.length;
  return {
    messages: [message],
    bodies: [toAnswer({ hasContent, calls: calls.map(({ id, name, input }) => toCall({ id, name, input })) })],
    isMalformed: followsCall || !blocks.every(isSendable) || !calls.every(({ input }) => isJsonObject(input)),
  };
}
