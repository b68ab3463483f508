import type { MessageBody, ToolCall } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { fillers } from "../formats/conversation/conversation.ts";
import { geminiIds } from "../formats/identifiers/id-map.ts";
import { type ForeignObject, putFirst, toObjects, toText } from "./foreign-object.ts";
import { type MessageFormat, toAnswer, toCall, toResult, type Unit } from "./message-format.ts";

/** Gemini's `contents`: function responses are parts of the content after the calls. */
export const geminiFormat: MessageFormat = {
  ids: geminiIds,
  opening: { role: "user", parts: [{ text: fillers.start }] },
  read(contents) {
    const ids = new OptionalIds();
    return contents.map((content) => (content.role === "model" ? readAnswer(content, ids) : readUserContent(content, ids)));
  },
  writeHead({ messages: [content = {}] }, callIds) {
    const ids = callIds.values();
    const parts = toObjects(content.parts)
      .filter((part) => !isResult(part) && isSendable(part))
      .map((part) => (isCall(part) ? withId(part, "functionCall", ids.next().value ?? "") : part));
    return [{ ...content, parts: parts.length === 0 ? [{ text: fillers.emptyMessage }] : parts }];
  },
  writeResults: (results) => [{ role: "user", parts: results }],
  renameResult: (part, id) => withId(part, "functionResponse", id),
  replaceOutput: (part, text) => ({ ...part, functionResponse: { ...toObject(part.functionResponse), response: { output: text } } }),
  createResult: ({ toolCallId, toolName, result }) =>
    withId({ functionResponse: { name: toolName, response: { error: String(result) } } }, "functionResponse", toolCallId),
  join: (first, second) =>
    first.role === second.role && hasResult(first) === hasResult(second)
      ? { ...first, parts: putFirst([...toObjects(first.parts), ...toObjects(second.parts)], isResult) }
      : undefined,
  // calls must follow a user's content
  rejectsAdjacent: (first, second) => first.role === "model" && second.role === "model",
};

const isCall = (part: ForeignObject) => isJsonObject(part.functionCall);
const isResult = (part: ForeignObject) => isJsonObject(part.functionResponse);
const isSendable = (part: ForeignObject) => part.text !== "" || Object.keys(part).length > 1;
const hasResult = (content: ForeignObject) => toObjects(content.parts).some(isResult);
const toObject = (value: unknown): ForeignObject => (isJsonObject(value) ? value : {});

const unnamed = "without-id-";

/** Ids are optional in this API: a call without one gets one of ours, and so does the next response without one to the same function. */
class OptionalIds {
  #count = 0;
  #open: { id: string; name: string }[] = [];

  ofCall({ id, name }: ForeignObject): string {
    if (toText(id) !== "") return toText(id);
    const own = this.#next();
    this.#open.push({ id: own, name: toText(name) });
    return own;
  }

  ofResult({ id, name }: ForeignObject): string {
    if (toText(id) !== "") return toText(id);
    const at = this.#open.findIndex((call) => call.name === name);
    return at === -1 ? this.#next() : (this.#open.splice(at, 1)[0]?.id ?? this.#next());
  }

  #next(): string {
    return `${unnamed}${this.#count++}`;
  }
}

function withId(part: ForeignObject, key: "functionCall" | "functionResponse", id: string): ForeignObject {
  const { id: _, ...rest } = toObject(part[key]);
  return { ...part, [key]: id.startsWith(unnamed) ? rest : { id, ...rest } };
}

function readUserContent(content: ForeignObject, ids: OptionalIds): Unit {
  const parts = toObjects(content.parts);
  const results = parts.filter(isResult).map((part) => {
    const response = toObject(part.functionResponse);
    return toResult(part, { id: ids.ofResult(response), name: response.name });
  });
  const bodies: MessageBody[] = [];
  if (results.length > 0) bodies.push({ role: "tool", content: results });
  if (results.length === 0 || results.length < parts.length) bodies.push({ role: "user", content: "" });
  // images next to responses are allowed, text is not
  const isMixed = results.length > 0 && parts.some((part) => typeof part.text === "string");
  return { messages: [content], bodies, isMalformed: parts.length === 0 || isMixed || !parts.every(isSendable) };
}

function readAnswer(content: ForeignObject, ids: OptionalIds): Unit {
  const parts = toObjects(content.parts);
  const calls = parts.filter(isCall).map(({ functionCall }): ToolCall => {
    const call = toObject(functionCall);
    return toCall({ id: ids.ofCall(call), name: call.name, input: call.args });
  });
  const hasContent = parts.some((part) => !isCall(part) && isSendable(part));
  const hasEmptyId = parts.some((part) => toObject(part.functionCall).id === "");
  return { messages: [content], bodies: [toAnswer({ hasContent, calls })], isMalformed: hasEmptyId || !parts.every(isSendable) };
}
