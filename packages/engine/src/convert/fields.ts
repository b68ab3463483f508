import { isJsonObject } from "@skein/contracts/is-json-object";
import { type ForeignObject, toText } from "../repair/foreign-object.ts";
import type { File, Options, ReportLoss, Text } from "./neutral.ts";

/** Reports what is not in `known` and says something. */
export function reportRest(from: ForeignObject, known: readonly string[], report: ReportLoss): void {
  for (const [name, value] of Object.entries(from)) {
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    if (!isEmpty && !known.includes(name)) report("field", name);
  }
}

/** The fields that have a value; undefined if none has. */
export function toOptions(provider: string, fields: Record<string, unknown>): Options | undefined {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return present.length === 0 ? undefined : { [provider]: Object.fromEntries(present) };
}

/** The options of one provider that are in `keys`; all others are reported. */
export function takeOptions(options: Options | undefined, provider: string, keys: readonly string[], report: ReportLoss): ForeignObject {
  const taken: Record<string, unknown> = {};
  for (const [owner, fields] of Object.entries(options ?? {})) {
    for (const [key, value] of Object.entries(fields)) {
      if (owner === provider && keys.includes(key)) taken[key] = value;
      else report("field", `${owner}.${key}`);
    }
  }
  return taken;
}

/** Drops what is undefined. */
export function listDefined<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** Without the fields that are undefined. */
export function omitUndefined<T extends Record<string, unknown>>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

export const asObject = (value: unknown): ForeignObject => (isJsonObject(value) ? value : {});
export const asString = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Parts of a content that may be a string. */
export function toParts(content: unknown, type = "text"): ForeignObject[] {
  if (typeof content === "string") return [{ type, text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** A data URL, an address, or plain base64. */
export function toFile(data: string, { mediaType, filename }: { mediaType?: unknown; filename?: unknown } = {}): File {
  const [, type, base64] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(data) ?? [];
  const named = asString(filename) === undefined ? {} : { filename: toText(filename) };
  if (base64 !== undefined) return { type: "file", kind: "base64", data: base64, mediaType: type || toText(mediaType), ...named };
  const kind = /^[a-z][a-z0-9+.-]*:/i.test(data) ? "url" : /^file[-_]/.test(data) ? "id" : "base64";
  return { type: "file", kind, data, mediaType: toText(mediaType) || (kind === "base64" ? guessImage(data) : ""), ...named };
}

const signatures = { iVBOR: "image/png", "/9j/": "image/jpeg", R0lG: "image/gif", UklG: "image/webp", JVBER: "application/pdf" };

function guessImage(base64: string): string {
  return Object.entries(signatures).find(([start]) => base64.startsWith(start))?.[1] ?? "";
}

export const isImage = ({ mediaType }: File): boolean => mediaType === "" || mediaType.startsWith("image/");
export const toDataUrl = ({ kind, data, mediaType }: File): string => (kind === "base64" ? `data:${mediaType};base64,${data}` : data);

/** The value of JSON text; the text itself if it is none. */
export function parseInput(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}

/** The text of JSON arguments, in the model's own bytes where they are an object. */
export function writeArguments({ input, text }: { input: unknown; text?: string | undefined }, report: ReportLoss): string {
  if (text !== undefined && isJsonObject(parseInput(text))) return text === "" ? "{}" : text;
  return JSON.stringify(writeInput(input, report));
}

/** An object: providers accept nothing else. */
export function writeInput(input: unknown, report: ReportLoss): ForeignObject {
  if (isJsonObject(input)) return input;
  if (input === undefined || input === null) return {};
  report("structure", "input");
  return { value: input };
}

/** For results that are text: what is an error says so, since there is no flag. */
export function flag(text: string, isError: boolean, report: ReportLoss): string {
  if (!isError) return text;
  report("error-flag", "result");
  return /^\s*\W*error/i.test(text) ? text : `Error: ${text}`;
}

/** A string if it is one plain text or nothing: APIs reject empty lists. */
export function toContent<Part>(parts: readonly (Text | File)[], write: (part: Text | File) => Part | undefined): string | Part[] {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "text" && only.options === undefined) return only.text;
  const written = parts.flatMap((part) => listDefined(write(part)));
  return written.length === 0 ? "" : written;
}
