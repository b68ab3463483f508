import { anthropicNames } from "../formats/identifiers/name-map.ts";
import { type ForeignObject, toText } from "../repair/foreign-object.ts";
import {
  asObject,
  asString,
  isImage,
  listDefined,
  omitUndefined,
  reportRest,
  takeOptions,
  toContent,
  toFile,
  toOptions,
  toParts,
  writeInput,
} from "./fields.ts";
import type { Call, Dialect, File, Neutral, Options, Reasoning, ReportLoss, Result, Text } from "./neutral.ts";

/** Fields that the AI SDK names in another way. */
const optionNames = { cache_control: "cacheControl", citations: "citations", context: "context", title: "title" };

/** Anthropic's `messages`. */
export const anthropicDialect: Dialect = {
  names: anthropicNames,
  read(messages, report) {
    return messages.flatMap((message, index) => {
      reportRest(message, ["role", "content"], report(index));
      const role = message.role === "assistant" || message.role === "system" ? message.role : "user";
      const parts = toParts(message.content).flatMap((block) => listDefined(readBlock(block, report(index))));
      const results = parts.filter(({ type }) => type === "result");
      const others = parts.filter(({ type }) => type !== "result");
      const read: Neutral[] = results.length === 0 ? [] : [{ role: "tool", index, parts: results }];
      if (others.length > 0 || results.length === 0) read.push({ role, index, parts: others });
      return read;
    });
  },
  write(messages, report) {
    const written: { role: string; content: unknown }[] = [];
    let lastRole: Neutral["role"] | undefined;
    for (const { role, index, parts } of messages) {
      if (role === "system") report(index)("role", "system");
      const to = role === "assistant" ? "assistant" : "user";
      const blocks = parts.flatMap((part) => listDefined(writePart(part, report(index))));
      const last = written.at(-1);
      const isPlain = blocks.length === 1 && Object.keys(blocks[0] ?? {}).join() === "type,text";
      if (last?.role === to && lastRole === role) report(index)("joined", role);
      lastRole = role;
      if (last?.role === to) last.content = [...toParts(last.content), ...blocks];
      else written.push({ role: to, content: isPlain ? blocks[0]?.text : blocks });
    }
    return written;
  },
  system: {
    read: (prompt, report) =>
      toParts(prompt).flatMap((block) => {
        const part = readBlock(block, report);
        return part?.type === "text" ? [part] : [];
      }),
    write: (texts, report) => toContent(texts, (part) => writePart(part, report)),
  },
};

function readOptions(block: ForeignObject): Options | undefined {
  return toOptions("anthropic", Object.fromEntries(Object.entries(optionNames).map(([theirs, name]) => [name, block[theirs]])));
}

function writeOptions(options: Options | undefined, report: ReportLoss): ForeignObject {
  const taken = takeOptions(options, "anthropic", Object.values(optionNames), report);
  return omitUndefined(Object.fromEntries(Object.entries(optionNames).map(([theirs, name]) => [theirs, taken[name]])));
}

function readBlock(block: ForeignObject, report: ReportLoss): Text | Reasoning | File | Call | Result | undefined {
  const options = readOptions(block);
  const rest = (...known: string[]) => reportRest(block, ["type", ...Object.keys(optionNames), ...known], report);
  switch (block.type) {
    case "text":
      rest("text");
      return { type: "text", text: toText(block.text), options };
    case "thinking":
      rest("thinking", "signature");
      return { type: "reasoning", text: toText(block.thinking), options: { anthropic: omitUndefined({ signature: block.signature }) } };
    case "redacted_thinking":
      rest("data");
      return { type: "reasoning", text: "", options: { anthropic: { redactedData: block.data } } };
    case "image":
    case "document": {
      rest("source");
      const file = readSource(asObject(block.source), block.type, report);
      return file && { ...file, options };
    }
    case "tool_use":
      rest("id", "name", "input");
      return { type: "call", id: toText(block.id), name: toText(block.name), input: block.input, options };
    case "tool_result": {
      rest("tool_use_id", "content", "is_error");
      const parts = toParts(block.content).flatMap((one): (Text | File)[] => {
        const part = readBlock(one, report);
        return part?.type === "text" || part?.type === "file" ? [part] : [];
      });
      const isText = typeof block.content === "string" || parts.length === 0;
      return {
        type: "result",
        id: toText(block.tool_use_id),
        name: "",
        isError: block.is_error === true,
        output: isText ? toText(block.content) : parts,
        options,
      };
    }
    default:
      report("part", block.type);
      return undefined;
  }
}

function readSource(source: ForeignObject, type: "image" | "document", report: ReportLoss): File | undefined {
  const mediaType = asString(source.media_type) ?? (type === "image" ? "" : "application/pdf");
  switch (source.type) {
    case "base64":
      return { type: "file", kind: "base64", data: toText(source.data), mediaType };
    case "url":
      return { type: "file", kind: "url", data: toText(source.url), mediaType };
    case "file":
      return { type: "file", kind: "id", data: toText(source.file_id), mediaType };
    case "text":
      return { ...toFile(toText(source.data)), kind: "base64", data: encodeText(toText(source.data)), mediaType: "text/plain" };
    default:
      report("part", `${type} of type ${String(source.type)}`);
      return undefined;
  }
}

function writePart(part: Neutral["parts"][number], report: ReportLoss): ForeignObject | undefined {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...writeOptions(part.options, report) };
    case "reasoning": {
      const { signature, redactedData } = part.options?.anthropic ?? {};
      if (redactedData !== undefined) return { type: "redacted_thinking", data: redactedData };
      if (asString(signature) !== undefined) return { type: "thinking", thinking: part.text, signature };
      report("reasoning", "thinking");
      return undefined;
    }
    case "file":
      return writeFile(part, report);
    case "call":
      return {
        type: "tool_use",
        id: part.id,
        name: part.name,
        input: writeInput(part.input, report),
        ...writeOptions(part.options, report),
      };
    case "result":
      return {
        type: "tool_result",
        tool_use_id: part.id,
        content: writeOutput(part, report),
        ...(part.isError ? { is_error: true } : {}),
        ...writeOptions(part.options, report),
      };
  }
}

function writeOutput({ output }: Result, report: ReportLoss): string | ForeignObject[] {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.flatMap((part) => listDefined(writePart(part, report)));
  report("structure", "result");
  return JSON.stringify(output.json);
}

function writeFile(file: File, report: ReportLoss): ForeignObject | undefined {
  const { kind, data, mediaType } = file;
  const type = isImage(file) ? "image" : "document";
  if (file.filename !== undefined && file.options?.anthropic?.title === undefined) report("field", "filename");
  const options = writeOptions(file.options, report);
  const toBlock = (source: ForeignObject) => ({ type, source, ...options });
  if (kind === "url") return toBlock({ type: "url", url: data });
  if (kind === "id") return toBlock({ type: "file", file_id: data });
  if (mediaType === "text/plain") return toBlock({ type: "text", media_type: "text/plain", data: decodeText(data) });
  if (type === "image" || mediaType === "application/pdf") return toBlock({ type: "base64", media_type: mediaType, data });
  report("part", mediaType);
  return undefined;
}

function encodeText(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

function decodeText(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)));
}
