import { isJsonObject } from "@skein/contracts/is-json-object";
import { geminiNames } from "../formats/identifiers/name-map.ts";
import { type ForeignObject, toObjects, toText } from "../repair/foreign-object.ts";
import { asObject, asString, listDefined, omitUndefined, reportRest, takeOptions, toOptions, toParts, writeInput } from "./fields.ts";
import type { Dialect, File, Neutral, Options, Reasoning, ReportLoss, Result, Text } from "./neutral.ts";
import { splitOutput } from "./openai-chat-dialect.ts";

/** Google's documented placeholder for calls of other models. Newer models reject a step whose first call has no signature. */
const unsignedCall = "skip_thought_signature_validator";

/** Gemini's `contents`. */
export const geminiDialect: Dialect = {
  names: geminiNames,
  read(contents, report) {
    const ids = new CallIds();
    return contents.flatMap((content, index) => {
      const loss = report(index);
      reportRest(content, ["role", "parts"], loss);
      const role = content.role === "model" ? "assistant" : "user";
      const parts = toObjects(content.parts).flatMap((part) => listDefined(readPart(part, ids, loss)));
      const results = parts.filter(({ type }) => type === "result");
      const others = parts.filter(({ type }) => type !== "result");
      const read: Neutral[] = results.length === 0 ? [] : [{ role: "tool", index, parts: results }];
      if (others.length > 0 || results.length === 0) read.push({ role, index, parts: others });
      return read;
    });
  },
  write(messages, report) {
    return messages.flatMap((message): ForeignObject[] => {
      const loss = report(message.index);
      if (message.role === "tool") return [{ role: "user", parts: writeResults(message, loss) }];
      if (message.role === "system") loss("role", "system");
      if (message.role !== "assistant")
        return [{ role: "user", parts: message.parts.flatMap((part) => listDefined(writePart(part, loss))) }];
      const parts = message.parts.flatMap((part) => listDefined(writePart(part, loss)));
      const first = parts.findIndex(({ functionCall }) => functionCall !== undefined);
      const isOpen = first >= 0 && parts[first]?.thoughtSignature === undefined;
      return [{ role: "model", parts: isOpen ? parts.with(first, { ...parts[first], thoughtSignature: unsignedCall }) : parts }];
    });
  },
  system: {
    read: (prompt, report) => {
      const parts = isJsonObject(prompt) && Array.isArray(prompt.parts) ? toObjects(prompt.parts) : toParts(prompt);
      return parts.flatMap((part) => {
        reportRest(part, ["type", "text"], report);
        return [{ type: "text", text: toText(part.text) }];
      });
    },
    write: (texts, report) => ({
      parts: texts.map(({ text, options }) => {
        takeOptions(options, "google", [], report);
        return { text };
      }),
    }),
  },
};

/** Ids are optional in this API: the next response of the same function belongs to a call without one. */
class CallIds {
  #count = 0;
  readonly #open: { id: string; name: unknown }[] = [];

  ofCall({ id, name }: ForeignObject): string {
    const own = asString(id) ?? this.#next();
    if (own !== id) this.#open.push({ id: own, name });
    return own;
  }

  ofResult({ id, name }: ForeignObject): string {
    const at = this.#open.findIndex((call) => call.name === name);
    return asString(id) ?? this.#open.splice(at, at < 0 ? 0 : 1)[0]?.id ?? this.#next();
  }

  #next(): string {
    return `call_${++this.#count}`;
  }
}

function readPart(part: ForeignObject, ids: CallIds, report: ReportLoss): Neutral["parts"][number] | undefined {
  const { thoughtSignature: signature } = part;
  const options = toOptions("google", { thoughtSignature: signature === unsignedCall ? undefined : signature });
  const known = ["thoughtSignature", "text", "thought", "inlineData", "fileData", "functionCall", "functionResponse"];
  reportRest(part, known, report);
  if (isJsonObject(part.functionCall)) {
    const { name, args } = part.functionCall as ForeignObject;
    return { type: "call", id: ids.ofCall(part.functionCall), name: toText(name), input: args ?? {}, options };
  }
  if (isJsonObject(part.functionResponse)) return readResponse(part.functionResponse, ids, report);
  if (isJsonObject(part.inlineData)) {
    const { data, mimeType, displayName } = part.inlineData as ForeignObject;
    return { type: "file", kind: "base64", data: toText(data), mediaType: toText(mimeType), filename: asString(displayName), options };
  }
  if (isJsonObject(part.fileData)) {
    const { fileUri, mimeType, displayName } = part.fileData as ForeignObject;
    return { type: "file", kind: "url", data: toText(fileUri), mediaType: toText(mimeType), filename: asString(displayName), options };
  }
  if (typeof part.text !== "string") {
    report("part", Object.keys(part)[0]);
    return undefined;
  }
  if (part.thought !== true) return { type: "text", text: part.text, options };
  return { type: "reasoning", text: part.text, options: options ?? { google: {} } } satisfies Reasoning;
}

function readResponse(response: ForeignObject, ids: CallIds, report: ReportLoss): Result {
  reportRest(response, ["id", "name", "response", "parts"], report);
  const value = asObject(response.response);
  const [key, ...more] = Object.keys(value);
  const only = more.length === 0 && (key === "output" || key === "error") ? value[key] : undefined;
  const isError = only !== undefined && key === "error";
  const text = typeof only === "string" ? only : undefined;
  const files = toObjects(response.parts).flatMap((part) => {
    const read = readPart(part, ids, report);
    return read?.type === "file" ? [read] : [];
  });
  const plain = text ?? { json: isError ? only : value };
  const texts: Text[] = [{ type: "text", text: text ?? JSON.stringify(value) }];
  if (files.length > 0 && text === undefined) report("structure", "result");
  const output = files.length > 0 ? [...texts, ...files] : plain;
  return { type: "result", id: ids.ofResult(response), name: toText(response.name), isError, output };
}

function writePart(part: Neutral["parts"][number], report: ReportLoss): ForeignObject | undefined {
  if (part.type === "reasoning") {
    if (part.options?.google === undefined) {
      report("reasoning", "thought");
      return undefined;
    }
    return { text: part.text, thought: true, ...writeSignature(part.options, report) };
  }
  if (part.type === "result") return undefined;
  const signed = writeSignature(part.options, report);
  if (part.type === "text") return { text: part.text, ...signed };
  if (part.type === "call")
    return { functionCall: omitUndefined({ id: part.id || undefined, name: part.name, args: writeInput(part.input, report) }), ...signed };
  const file = writeFile(part, report);
  return file && { ...file, ...signed };
}

function writeSignature(options: Options | undefined, report: ReportLoss): ForeignObject {
  return takeOptions(options, "google", ["thoughtSignature"], report);
}

function writeFile({ kind, data, mediaType, filename }: File, report: ReportLoss): ForeignObject | undefined {
  if (kind === "base64") return { inlineData: omitUndefined({ mimeType: mediaType, data, displayName: filename }) };
  if (kind === "url") return { fileData: omitUndefined({ mimeType: mediaType || undefined, fileUri: data, displayName: filename }) };
  report("part", data);
  return undefined;
}

/** Responses first; their images are parts next to them, which models of every age accept. */
function writeResults({ parts }: Neutral, report: ReportLoss): ForeignObject[] {
  const results = parts.filter((part) => part.type === "result");
  const files: File[] = [];
  const responses = results.map((part) => {
    takeOptions(part.options, "google", [], report);
    return { functionResponse: omitUndefined({ id: part.id || undefined, name: part.name, response: writeResponse(part, files, report) }) };
  });
  return [...responses, ...files.flatMap((file) => listDefined(writeFile(file, report)))];
}

function writeResponse(part: Result, files: File[], report: ReportLoss): ForeignObject {
  const { output, isError } = part;
  if (typeof output !== "string" && !Array.isArray(output)) {
    if (isError) return { error: output.json };
    const keys = isJsonObject(output.json) ? Object.keys(output.json).join() : "output";
    if (keys !== "output" && keys !== "error") return output.json as ForeignObject;
    report("structure", "result");
    return { output: output.json };
  }
  const split = splitOutput(part, report);
  files.push(...split.files);
  return isError ? { error: split.text } : { output: split.text };
}
