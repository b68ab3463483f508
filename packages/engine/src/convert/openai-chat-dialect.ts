import { openaiNames } from "../formats/identifiers/name-map.ts";
import { type ForeignObject, toObjects, toText } from "../repair/foreign-object.ts";
import {
  asObject,
  flag,
  isImage,
  listDefined,
  omitUndefined,
  parseInput,
  reportRest,
  takeOptions,
  toContent,
  toDataUrl,
  toFile,
  toOptions,
  toParts,
  writeArguments,
} from "./fields.ts";
import type { Call, Dialect, File, Neutral, ReportLoss, Result, Text } from "./neutral.ts";

/** `messages` of Chat Completions. */
export const openaiChatDialect: Dialect = {
  names: openaiNames,
  read(messages, report) {
    return messages.map((message, index) => readMessage(message, index, report(index)));
  },
  write(messages, report) {
    const written: ForeignObject[] = [];
    // tool messages hold only text, and all of them must directly follow their calls
    let waiting: File[] = [];
    messages.forEach((message, position) => {
      const loss = report(message.index);
      if (message.role !== "tool") {
        written.push(writeMessage(message, loss));
        return;
      }
      for (const part of message.parts) {
        if (part.type !== "result") continue;
        const { text, files } = splitOutput(part, loss);
        takeOptions(part.options, "openai", [], loss);
        written.push({ role: "tool", tool_call_id: part.id, content: flag(text, part.isError, loss) });
        waiting.push(...files);
      }
      if (waiting.length > 0 && messages[position + 1]?.role !== "tool") {
        const content = waiting.flatMap((file) => listDefined(writePart(file, loss)));
        if (content.length > 0) written.push({ role: "user", content: [{ type: "text", text: "Files of the results:" }, ...content] });
        waiting = [];
      }
    });
    return written;
  },
};

const roles: Readonly<Record<string, Neutral["role"]>> = { system: "system", developer: "system", assistant: "assistant", tool: "tool" };

function readMessage(message: ForeignObject, index: number, report: ReportLoss): Neutral {
  const { content } = message;
  reportRest(message, ["role", "content", "tool_calls", "tool_call_id", "refusal"], report);
  const role = roles[String(message.role)] ?? "user";
  const isEmpty = content === "" && role === "assistant";
  const parts = (isEmpty ? [] : toParts(content)).flatMap((part) => listDefined(readPart(part, report)));
  if (role === "tool") {
    const output = typeof content === "string" ? content : parts;
    const result: Result = {
      type: "result",
      id: toText(message.tool_call_id),
      name: "",
      isError: false,
      output,
    };
    return { role, index, parts: [result] };
  }
  if (message.role === "developer")
    return { role, index, parts: parts.map((part) => ({ ...part, options: { openai: { role: "developer" } } })) };
  if (role !== "assistant") return { role, index, parts };
  if (typeof message.refusal === "string") parts.push({ type: "text", text: message.refusal, options: { openai: { refusal: true } } });
  const calls = toObjects(message.tool_calls).map((call): Call => {
    const { name, arguments: text, input } = asObject(call.function ?? call.custom);
    reportRest(call, ["id", "type", "function", "custom", "index"], report);
    if (call.custom !== undefined) report("structure", "custom");
    const known = { type: "call" as const, id: toText(call.id), name: toText(name) };
    return call.custom === undefined ? { ...known, input: parseInput(toText(text)), text: toText(text) } : { ...known, input };
  });
  return { role, index, parts: [...parts, ...calls] };
}

function readPart(part: ForeignObject, report: ReportLoss): Text | File | undefined {
  switch (part.type) {
    case "text":
      reportRest(part, ["type", "text"], report);
      return { type: "text", text: toText(part.text) };
    case "refusal":
      return { type: "text", text: toText(part.refusal), options: { openai: { refusal: true } } };
    case "image_url": {
      const { url, detail } = asObject(part.image_url);
      return { ...toFile(toText(url), { mediaType: "" }), options: toOptions("openai", { imageDetail: detail }) };
    }
    case "input_audio": {
      const { data, format } = asObject(part.input_audio);
      return toFile(toText(data), { mediaType: `audio/${String(format)}` });
    }
    case "file": {
      const { file_data: data, file_id: id, filename } = asObject(part.file);
      return toFile(toText(data ?? id), { mediaType: "application/pdf", filename });
    }
    default:
      report("part", part.type);
      return undefined;
  }
}

function writeMessage({ role, parts }: Neutral, report: ReportLoss): ForeignObject {
  const written = parts.flatMap((part) => (part.type === "text" || part.type === "file" ? [part] : []));
  if (role === "system") {
    const isDeveloper = parts.some(({ options }) => options?.openai?.role === "developer");
    const plain = written.map(({ options, ...part }) => {
      takeOptions(options, "openai", ["role"], report);
      return part;
    });
    return { role: isDeveloper ? "developer" : "system", content: toContent(plain, (part) => writePart(part, report)) };
  }
  if (role === "user") return { role, content: toContent(written, (part) => writePart(part, report)) };
  const texts = written.filter((part): part is Text => {
    if (part.type === "text") return true;
    report("part", part.mediaType);
    return false;
  });
  for (const part of parts) if (part.type === "reasoning") report("reasoning", "reasoning");
  const calls = parts.flatMap((part) => {
    if (part.type !== "call") return [];
    takeOptions(part.options, "openai", [], report);
    return [{ id: part.id, type: "function", function: { name: part.name, arguments: writeArguments(part, report) } }];
  });
  const content = toContent(texts, (part) => writePart(part, report));
  return omitUndefined({ role, content: content.length === 0 ? null : content, tool_calls: calls.length === 0 ? undefined : calls });
}

function writePart(part: Text | File, report: ReportLoss): ForeignObject | undefined {
  const keys = part.type === "file" ? ["imageDetail"] : ["refusal"];
  const { imageDetail, refusal } = takeOptions(part.options, "openai", keys, report);
  if (part.type === "text") return refusal === true ? { type: "refusal", refusal: part.text } : { type: "text", text: part.text };
  const { kind, data, mediaType, filename } = part;
  if (isImage(part) && kind !== "id") return { type: "image_url", image_url: omitUndefined({ url: toDataUrl(part), detail: imageDetail }) };
  const [, format] = /^audio\/(wav|mp3)$/.exec(mediaType) ?? [];
  if (format !== undefined && kind === "base64") return { type: "input_audio", input_audio: { data, format } };
  if (kind === "id" && /^file-/.test(data)) return { type: "file", file: { file_id: data } };
  if (kind === "base64" && mediaType === "application/pdf")
    return { type: "file", file: omitUndefined({ file_data: toDataUrl(part), filename }) };
  report("part", mediaType || kind);
  return undefined;
}

/** Texts of a result, and its files. */
export function splitOutput({ output, name }: Result, report: ReportLoss): { text: string; files: File[] } {
  if (typeof output === "string") return { text: output, files: [] };
  if (!Array.isArray(output)) {
    report("structure", "result");
    return { text: JSON.stringify(output.json), files: [] };
  }
  const files = output.filter((part) => part.type === "file");
  const texts = output.flatMap((part) => (part.type === "text" ? [part.text] : []));
  for (const { mediaType } of files) report("moved-file", mediaType);
  if (texts.length > 1) report("structure", "result");
  if (texts.length === 0) texts.push(`[${files.length === 1 ? "1 file" : `${files.length} files`} of ${name || "the tool"}, see below]`);
  return { text: texts.join("\n"), files };
}
