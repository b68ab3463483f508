import { isJsonObject } from "@skein/contracts/is-json-object";
import { type ForeignObject, toObjects, toText } from "../repair/foreign-object.ts";
import { asObject, asString, isImage, listDefined, omitUndefined, reportRest, toContent, toDataUrl, toFile, toParts } from "./fields.ts";
import type { Dialect, File, Neutral, Options, ReportLoss, Result, Text } from "./neutral.ts";

/** `ModelMessage[]` of the AI SDK. Its `providerOptions` carry what only one provider understands. */
export const aiSdkDialect: Dialect = {
  read: (messages, report) =>
    messages.map((message, index): Neutral => {
      const loss = report(index);
      reportRest(message, ["role", "content", "providerOptions"], loss);
      const role = message.role === "system" || message.role === "assistant" || message.role === "tool" ? message.role : "user";
      const parts = toParts(message.content).flatMap((part) => listDefined(readPart(part, loss)));
      const last = parts.at(-1);
      // as the providers of the AI SDK do: the options of a message are those of its last part
      if (last !== undefined) last.options = joinOptions(message.providerOptions, last.options);
      return { role, index, parts };
    }),
  write: (messages, report) =>
    messages.flatMap((message): ForeignObject[] => {
      const loss = report(message.index);
      const { role, parts } = message;
      if (role !== "system") return [{ role, content: writeContent(parts, loss) }];
      return parts.flatMap((part) =>
        part.type === "text" ? [omitUndefined({ role, content: part.text, providerOptions: part.options })] : [],
      );
    }),
};

function joinOptions(first: unknown, second: Options | undefined): Options | undefined {
  if (!isJsonObject(first)) return second;
  const all = second ?? {};
  const names = [...Object.keys(first), ...Object.keys(all)];
  return Object.fromEntries(names.map((name) => [name, { ...asObject(first[name]), ...all[name] }]));
}

function readPart(part: ForeignObject, report: ReportLoss): Neutral["parts"][number] | undefined {
  const options = isJsonObject(part.providerOptions) ? (part.providerOptions as Options) : undefined;
  const rest = (...known: string[]) => reportRest(part, ["type", "providerOptions", ...known], report);
  switch (part.type) {
    case "text":
    case "reasoning":
      rest("text");
      return { type: part.type, text: toText(part.text), options };
    case "image":
    case "file":
      rest("image", "data", "mediaType", "filename");
      return { ...readFile(part.image ?? part.data, part), options };
    case "tool-call":
      if (part.providerExecuted === true) break;
      rest("toolCallId", "toolName", "input", "providerExecuted");
      return { type: "call", id: toText(part.toolCallId), name: toText(part.toolName), input: part.input, options };
    case "tool-result":
      rest("toolCallId", "toolName", "output");
      return {
        type: "result",
        id: toText(part.toolCallId),
        name: toText(part.toolName),
        ...readOutput(asObject(part.output), report),
        options,
      };
  }
  report("part", part.providerExecuted === true ? `${String(part.type)} of the provider` : part.type);
  return undefined;
}

function readFile(value: unknown, { mediaType, filename }: ForeignObject): File {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  const data = ArrayBuffer.isView(bytes) ? toBase64(bytes as Uint8Array) : bytes instanceof URL ? bytes.href : toText(bytes);
  // "image/*" states only that it is an image
  return toFile(data, { mediaType: mediaType === "image/*" ? "" : mediaType, filename });
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function readOutput({ type, value, reason }: ForeignObject, report: ReportLoss): Pick<Result, "output" | "isError"> {
  const isError = type === "error-text" || type === "error-json" || type === "execution-denied";
  if (type === "execution-denied") return { isError, output: asString(reason) ?? "Tool execution denied." };
  if (type === "content") return { isError, output: toObjects(value).flatMap((part) => listDefined(readResultPart(part, report))) };
  return { isError, output: typeof value === "string" && type !== "json" && type !== "error-json" ? value : { json: value ?? null } };
}

function readResultPart(part: ForeignObject, report: ReportLoss): Text | File | undefined {
  const { type, data, url, text, mediaType, filename } = part;
  if (type === "text") return { type, text: toText(text) };
  if (data !== undefined || url !== undefined) return toFile(toText(data ?? url), { mediaType, filename });
  report("part", type);
  return undefined;
}

function writeContent(parts: Neutral["parts"], report: ReportLoss): string | ForeignObject[] {
  const plain = parts.every((part) => part.type === "text" || part.type === "file") ? (parts as (Text | File)[]) : undefined;
  return plain === undefined ? parts.map((part) => writePart(part, report)) : toContent(plain, (part) => writePart(part, report));
}

function writePart(part: Neutral["parts"][number], report: ReportLoss): ForeignObject {
  const providerOptions = part.options;
  switch (part.type) {
    case "text":
    case "reasoning":
      return omitUndefined({ type: part.type, text: part.text, providerOptions });
    case "file": {
      const mediaType = part.mediaType || undefined;
      const data = part.kind === "base64" ? part.data : toDataUrl(part);
      if (isImage(part)) return omitUndefined({ type: "image", image: data, mediaType, providerOptions });
      return omitUndefined({ type: "file", data, mediaType, filename: part.filename, providerOptions });
    }
    case "call":
      return omitUndefined({ type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input ?? {}, providerOptions });
    case "result":
      return omitUndefined({
        type: "tool-result",
        toolCallId: part.id,
        toolName: part.name,
        output: writeOutput(part, report),
        providerOptions,
      });
  }
}

function writeOutput({ output, isError }: Result, report: ReportLoss): ForeignObject {
  if (typeof output === "string") return { type: isError ? "error-text" : "text", value: output };
  if (!Array.isArray(output)) return { type: isError ? "error-json" : "json", value: output.json };
  const texts = output.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (isError && texts.length === output.length) return { type: "error-text", value: texts.join("\n") };
  if (isError) report("error-flag", "result");
  return { type: "content", value: output.map((part) => writeResultPart(part, report)) };
}

function writeResultPart(part: Text | File, report: ReportLoss): ForeignObject {
  for (const owner of Object.keys(part.options ?? {})) report("field", owner);
  if (part.type === "text") return { type: "text", text: part.text };
  const kind = isImage(part) ? "image" : "file";
  if (part.kind === "url") return { type: `${kind}-url`, url: part.data };
  return omitUndefined({
    type: `${kind}-data`,
    data: part.data,
    mediaType: part.mediaType,
    filename: kind === "file" ? part.filename : undefined,
  });
}
