import { takeStart } from "@skein/engine";

export type EditResult = { ok: true; text: string; count: number } | { ok: false; error: string };

/**
 * Replaces one exact occurrence, or all. A text with LF matches a file with CRLF, which keeps its line ends: models hardly ever write CR,
 * and mixed line ends would show up as changes everywhere.
 */
export function applyEdit(text: string, edit: { oldText: string; newText: string; replaceAll: boolean }): EditResult {
  const usesCrlf = text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
  const adapt = (part: string) => (usesCrlf ? part.replace(/\r?\n/g, "\r\n") : part);
  const oldText = adapt(edit.oldText);
  const newText = adapt(edit.newText);
  if (oldText === "")
    return { ok: false, error: "oldText is empty. To write a whole file use write; to insert, give a line that is there as oldText." };
  if (oldText === newText) return { ok: false, error: "oldText and newText are the same; nothing would change." };
  const offsets = findAll(text, oldText);
  if (offsets.length === 0)
    return { ok: false, error: `oldText was not found. It has to match exactly, with its white space.${suggest(text, oldText)}` };
  if (offsets.length > 1 && !edit.replaceAll) {
    const lines = offsets.slice(0, 20).map((offset) => lineAt(text, offset));
    return {
      ok: false,
      error: `oldText was found ${offsets.length} times, at lines ${lines.join(", ")}${offsets.length > 20 ? " …" : ""}. Add surrounding lines so that it fits one place, or set replaceAll.`,
    };
  }
  return { ok: true, text: text.split(oldText).join(newText), count: offsets.length };
}

function findAll(text: string, part: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) offsets.push(at);
  return offsets;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** The line of the file that is most similar to the first line of the search text. */
function suggest(text: string, oldText: string): string {
  const wanted = oldText.split(/\r?\n/).find((line) => line.trim() !== "");
  if (wanted === undefined) return "";
  const wantedPairs = pairsOf(wanted);
  let best = { score: 0, number: 0, line: "" };
  for (const [index, line] of text.split(/\r?\n/, 20_000).entries()) {
    const score = similarity(wantedPairs, pairsOf(line));
    if (score > best.score) best = { score, number: index + 1, line };
  }
  return best.score < 0.4 ? "" : ` The most similar line is ${best.number}:\n${takeStart(best.line, 500)}`;
}

function pairsOf(line: string): Set<string> {
  const normal = line.trim().replace(/\s+/g, " ").slice(0, 300);
  const pairs = new Set<string>();
  for (let index = 0; index < normal.length - 1; index++) pairs.add(normal.slice(index, index + 2));
  return pairs;
}

function similarity(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}
