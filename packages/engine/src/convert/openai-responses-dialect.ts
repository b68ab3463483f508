import { openaiNames } from "../formats/identifiers/name-map.ts";
import { type ForeignObject, toObjects, toText } from "../repair/foreign-object.ts";
import {
  asString,
  flag,
  isImage,
  listDefined,
  omitUndefined,
  parseInput,
  reportRest,
  takeOptions,
  toDataUrl,
  toFile,
  toOptions,
  toParts,
  writeArguments,
} from "./fields.ts";
import type { Dialect, File, Neutral, Reasoning, ReportLoss, Result, Text } from "./neutral.ts";

/** `input` of the Responses API: the items of one answer become one message. */
export const openaiResponsesDialect: Dialect = {
  names: openaiNames,
  read(items, report) {
    const messages: Neutral[] = [];
    items.forEach((item, index) => {
      const { role, parts } = readItem(item, report(index));
      const last = messages.at(-1);
      // a reasoning item is only accepted before the item that it came with
      if (parts === undefined) dropReasoning(last, report(index));
      else if (role === "assistant" && last?.role === "assistant") last.parts.push(...parts);
      else messages.push({ role, index, parts: [...parts] });
    });
    return messages.filter(({ role, parts }) => role !== "assistant" || parts.length > 0);
  },
  write: (messages, report) => messages.flatMap((message) => writeMessage(message, report(message.index))),
};

function dropReasoning(last: Neutral | undefined, report: ReportLoss): void {
  while (last?.role === "assistant" && last.parts.at(-1)?.type === "reasoning") {
    last.parts.pop();
    report("reasoning", "reasoning");
  }
}

interface ReadItem {
  role: Neutral["role"];
  /** Undefined: not known. */
  parts: Neutral["parts"] | undefined;
}

function readItem(item: ForeignObject, report: ReportLoss): ReadItem {
  const rest = (...known: string[]) => reportRest(item, ["type", "status", ...known], report);
  switch (item.type ?? "message") {
    case "message": {
      rest("role", "content", "id", "phase");
      return readMessage(item, report);
    }
    case "reasoning": {
      rest("id", "summary", "encrypted_content");
      const options = { openai: omitUndefined({ itemId: item.id, reasoningEncryptedContent: item.encrypted_content ?? undefined }) };
      const texts = toObjects(item.summary).map(({ text }) => toText(text));
      const parts = (texts.length === 0 ? [""] : texts).map((text): Reasoning => ({ type: "reasoning", text, options }));
      return { role: "assistant", parts };
    }
    case "function_call":
    case "custom_tool_call": {
      rest("id", "call_id", "name", "arguments", "input");
      const call = { type: "call" as const, id: toText(item.call_id), name: toText(item.name) };
      if (item.type === "custom_tool_call") {
        report("structure", "custom_tool_call");
        return { role: "assistant", parts: [{ ...call, input: item.input }] };
      }
      const text = toText(item.arguments);
      return { role: "assistant", parts: [{ ...call, input: parseInput(text), text, options: toOptions("openai", { itemId: item.id }) }] };
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      rest("id", "call_id", "output");
      const parts = toParts(item.output, "input_text").flatMap((part) => listDefined(readPart(part, report)));
      const output = typeof item.output === "string" ? item.output : parts;
      const result: Result = { type: "result", id: toText(item.call_id), name: "", isError: false, output };
      return { role: "tool", parts: [result] };
    }
    default:
      report("part", item.type);
      return { role: "assistant", parts: undefined };
  }
}

function readMessage(item: ForeignObject, report: ReportLoss): ReadItem {
  const parts = toParts(item.content, "input_text").flatMap((part) => listDefined(readPart(part, report)));
  if (item.role === "assistant") {
    const options = toOptions("openai", { itemId: item.id, phase: item.phase });
    const withId = (part: Text | File) => ({ ...part, options: options && { openai: { ...options.openai, ...part.options?.openai } } });
    return { role: "assistant", parts: options === undefined ? parts : parts.map(withId) };
  }
  const isDeveloper = item.role === "developer";
  const role = isDeveloper || item.role === "system" ? "system" : "user";
  return { role, parts: isDeveloper ? parts.map((part) => ({ ...part, options: { openai: { role: "developer" } } })) : parts };
}

function readPart(part: ForeignObject, report: ReportLoss): Text | File | undefined {
  switch (part.type) {
    case "input_text":
    case "output_text":
      reportRest(part, ["type", "text"], report);
      return { type: "text", text: toText(part.text) };
    case "refusal":
      return { type: "text", text: toText(part.refusal), options: { openai: { refusal: true } } };
    case "input_image":
      return {
        ...toFile(toText(part.image_url ?? part.file_id)),
        options: toOptions("openai", { imageDetail: part.detail === "auto" ? undefined : part.detail }),
      };
    case "input_file": {
      const file = toFile(toText(part.file_data ?? part.file_url ?? part.file_id), { filename: part.filename });
      return { ...file, mediaType: file.mediaType || "application/pdf" };
    }
    default:
      report("part", part.type);
      return undefined;
  }
}

function writeMessage({ role, parts }: Neutral, report: ReportLoss): ForeignObject[] {
  if (role === "tool") return parts.flatMap((part) => (part.type === "result" ? [writeResult(part, report)] : []));
  if (role === "assistant") return writeAnswer(parts, report);
  const plain = parts.flatMap((part) => (part.type === "text" || part.type === "file" ? [part] : []));
  const isDeveloper = parts.some(({ options }) => options?.openai?.role === "developer");
  const content = plain.flatMap((part) => listDefined(writePart(part, report)));
  return [{ type: "message", role: isDeveloper ? "developer" : role, content }];
}

function writeAnswer(parts: Neutral["parts"], report: ReportLoss): ForeignObject[] {
  const items: ForeignObject[] = [];
  const join = (id: unknown, key: "content" | "summary", entry: ForeignObject): boolean => {
    const last = items.at(-1);
    if (id === undefined || last?.id !== id || !Array.isArray(last[key])) return false;
    items[items.length - 1] = { ...last, [key]: [...last[key], entry] };
    return true;
  };
  for (const part of parts) {
    switch (part.type) {
      case "text": {
        const { itemId: id, phase, refusal } = takeOptions(part.options, "openai", ["itemId", "phase", "refusal"], report);
        const entry =
          refusal === true ? { type: "refusal", refusal: part.text } : { type: "output_text", text: part.text, annotations: [] };
        if (join(id, "content", entry)) break;
        const content = id === undefined && refusal !== true ? part.text : [entry];
        items.push(
          omitUndefined({ type: "message", role: "assistant", id, status: id === undefined ? undefined : "completed", content, phase }),
        );
        break;
      }
      case "reasoning": {
        const { itemId: id, reasoningEncryptedContent: encrypted } = part.options?.openai ?? {};
        if (asString(id) === undefined) {
          report("reasoning", "reasoning");
          break;
        }
        const entry = { type: "summary_text", text: part.text };
        if (join(id, "summary", entry)) break;
        items.push(omitUndefined({ type: "reasoning", id, summary: part.text === "" ? [] : [entry], encrypted_content: encrypted }));
        break;
      }
      case "call": {
        const { itemId: id } = takeOptions(part.options, "openai", ["itemId"], report);
        items.push(
          omitUndefined({ type: "function_call", id, call_id: part.id, name: part.name, arguments: writeArguments(part, report) }),
        );
        break;
      }
      default:
        report("part", part.type === "file" ? part.mediaType : part.type);
    }
  }
  return items;
}

function writeResult(part: Result, report: ReportLoss): ForeignObject {
  const { output, isError } = part;
  takeOptions(part.options, "openai", [], report);
  const item = { type: "function_call_output", call_id: part.id };
  if (typeof output === "string") return { ...item, output: flag(output, isError, report) };
  if (!Array.isArray(output)) {
    report("structure", "result");
    return { ...item, output: flag(JSON.stringify(output.json), isError, report) };
  }
  const start = isError ? [{ type: "input_text", text: flag("", true, report).trim() }] : [];
  return { ...item, output: [...start, ...output.flatMap((one) => listDefined(writePart(one, report)))] };
}

function writePart(part: Text | File, report: ReportLoss): ForeignObject | undefined {
  const { imageDetail } = takeOptions(part.options, "openai", ["imageDetail", "role"], report);
  if (part.type === "text") return { type: "input_text", text: part.text };
  const { kind, data, filename, mediaType } = part;
  if (kind === "id" && !/^file-/.test(data)) {
    report("part", data);
    return undefined;
  }
  if (isImage(part)) {
    return { type: "input_image", ...(kind === "id" ? { file_id: data } : { image_url: toDataUrl(part) }), detail: imageDetail ?? "auto" };
  }
  if (kind === "url") return omitUndefined({ type: "input_file", file_url: data, filename });
  if (kind === "id") return { type: "input_file", file_id: data };
  if (mediaType === "application/pdf") return omitUndefined({ type: "input_file", file_data: toDataUrl(part), filename });
  report("part", mediaType);
  return undefined;
}
