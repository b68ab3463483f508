import type { ImagePart, JsonValue } from "@skein/contracts";
import { asObject, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { readImage } from "./result-content.ts";

/** What a user line of a session file is, if it has no tool results. */
export type ClaudeUserLine =
  | { type: "prompt"; text: string; images: ImagePart[] }
  /** Printed by a command of Claude Code itself, or of the user's shell. */
  | { type: "printed"; text: string }
  | { type: "interrupted" }
  | { type: "ignored" };

const interruptions = new Set(["[Request interrupted by user]", "[Request interrupted by user for tool use]"]);
/** Written by Claude Code in the name of the user; older versions do not mark them. */
const notByUser =
  /^(?:Caveat: The messages below were generated|<system-reminder>|<local-command-caveat>|<task-notification>|<teammate-message)/;
const printed = /^<(local-command-std(?:out|err)|bash-std(?:out|err))>([\s\S]*?)<\/\1>/;

/** Reads a user line of a session file. */
export function readClaudeUserLine(line: JsonObject): ClaudeUserLine {
  if (line.isMeta === true || line.isCompactSummary === true) return { type: "ignored" };
  const { text, images } = readContent(asObject(line.message)?.content);
  if (text === "" && images.length === 0) return { type: "ignored" };
  if (interruptions.has(text)) return { type: "interrupted" };
  if (notByUser.test(text)) return { type: "ignored" };
  const [, , output] = printed.exec(text) ?? [];
  if (output !== undefined) return { type: "printed", text: output.trim() };
  return { type: "prompt", text: toCommandLine(text), images };
}

/** `<command-name>/compact</command-name> … <command-args>…</command-args>` is what the user typed as `/compact …`. */
function toCommandLine(text: string): string {
  const shell = /^<bash-input>([\s\S]*)<\/bash-input>/.exec(text)?.[1];
  if (shell !== undefined) return `!${shell}`;
  const name = /<command-name>([\s\S]*?)<\/command-name>/.exec(text)?.[1]?.trim();
  if (name === undefined || !/^\s*<command-/.test(text)) return text;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? "";
  return `${name.startsWith("/") ? name : `/${name}`}${args === "" ? "" : ` ${args}`}`;
}

function readContent(content: JsonValue | undefined): { text: string; images: ImagePart[] } {
  if (typeof content === "string") return { text: content, images: [] };
  const texts: string[] = [];
  const images: ImagePart[] = [];
  for (const block of Array.isArray(content) ? content : []) {
    const image = readImage(block);
    if (image !== undefined) images.push(image);
    else if (stringField(block, "type") === "text") texts.push(stringField(block, "text") ?? "");
    else if (objectField(block, "source") !== undefined) texts.push(`[${stringField(block, "type") ?? "file"}]`);
  }
  return { text: texts.join("\n"), images };
}
