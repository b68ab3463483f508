import type { ToolResultPart } from "@skein/contracts";
import type { ConversationPosition } from "../conversation-position.ts";

export interface DemoResult {
  ok: boolean;
  text: string;
  lines: string[];
}

/** The nth result of a tool in this turn; undefined if it was not called that often. */
export function findResult(position: ConversationPosition, toolName: string, n = 0): DemoResult | undefined {
  const part = position.results.filter((result) => result.toolName === toolName)[n];
  return part === undefined ? undefined : toDemoResult(part);
}

export function toDemoResult(part: ToolResultPart): DemoResult {
  const text = typeof part.result === "string" ? part.result : part.result.map((item) => (item.type === "text" ? item.text : "")).join("");
  return { ok: part.isError !== true, text, lines: text.split("\n").filter((line) => line.trim() !== "") };
}

/** Remarks of a tool are in brackets on their own line; all other lines are entries. */
export function entriesOf(result: DemoResult | undefined): string[] {
  return result?.ok ? result.lines.filter((line) => !/^[([].*[)\]]$/.test(line)) : [];
}

const textFile = /\.(md|txt|rst|json|toml|ya?ml|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|cs|php|sh|html|css|sql|vue|svelte)$/i;

/** A README if there is one, otherwise the first file that is certainly text. */
export function chooseFileToRead(position: ConversationPosition): string | undefined {
  const top = entriesOf(findResult(position, "list"));
  const all = [...top, ...entriesOf(findResult(position, "glob"))].filter((entry) => !entry.endsWith("/"));
  return all.find((entry) => /^readme(\.(md|txt|rst))?$/i.test(entry)) ?? all.find((entry) => textFile.test(entry));
}

/** Includes entries that the tool counted but did not list. */
export function countEntries(result: DemoResult | undefined): number {
  return entriesOf(result).length + Number(/^\((\d+) more /m.exec(result?.text ?? "")?.[1] ?? 0);
}

/** The first lines of a numbered listing. */
export function firstLineOfFile(result: DemoResult | undefined): string | undefined {
  if (!result?.ok) return undefined;
  for (const line of result.lines) {
    const content = /^\s*\d+\t(.*)$/.exec(line)?.[1]?.trim();
    if (content !== undefined && content !== "") return shorten(content, 80);
  }
  return undefined;
}

export function countFileLines(result: DemoResult | undefined): number {
  return result?.lines.filter((line) => /^\s*\d+\t/.test(line)).length ?? 0;
}

export function countMatches(result: DemoResult | undefined): number {
  if (!result?.ok) return 0;
  const further = /^\((?:more than )?(\d+) further matches/m.exec(result.text)?.[1] ?? 0;
  return result.lines.filter((line) => /^.+:\d+: /.test(line)).length + Number(further);
}

/** Undefined for a command that did not finish: denied, stopped or timed out. */
export function findCommandEnd(result: DemoResult | undefined): { exitCode: number; output: string } | undefined {
  const match = /^([\s\S]*?)\n?\[exit code (\d+)\]\s*$/.exec(result?.text ?? "");
  return match === null ? undefined : { exitCode: Number(match[2]), output: (match[1] ?? "").trimEnd() };
}

export function shorten(text: string, maximum: number): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length <= maximum ? points.join("") : `${points.slice(0, maximum - 1).join("")}…`;
}
