/** A conflict that git marked in a text: `<<<<<<<`, the text of ours, `=======`, the text of theirs, `>>>>>>>`. Offsets are of characters. */
export interface MarkedConflict {
  start: number;
  /** After the line of `>>>>>>>`. */
  end: number;
  ours: string;
  theirs: string;
}

/** Finds the conflicts that are marked in a text, from its beginning. Marks that are not complete are left out. */
export function findMarkedConflicts(text: string): MarkedConflict[] {
  const found: MarkedConflict[] = [];
  let start = -1;
  let side: "ours" | "base" | "theirs" | null = null;
  let parts = { ours: "", base: "", theirs: "" };
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^(?:(<{7}|\|{7}|>{7})(?: .*)?|={7})\r?\n?$/.exec(line)?.[0].slice(0, 7);
    if (mark === "<<<<<<<") {
      start = at;
      side = "ours";
      parts = { ours: "", base: "", theirs: "" };
    } else if (mark === "|||||||" && side === "ours") side = "base";
    else if (mark === "=======" && (side === "ours" || side === "base")) side = "theirs";
    else if (mark === ">>>>>>>" && side === "theirs") {
      found.push({ start, end: at + line.length, ours: parts.ours, theirs: parts.theirs });
      side = null;
    } else if (side !== null) parts[side] += line;
    at += line.length;
  }
  return found;
}

/** The text with one of its conflicts replaced by a side, or by both: ours, then theirs. */
export function resolveMarked(text: string, { start, end, ours, theirs }: MarkedConflict, take: "ours" | "theirs" | "both"): string {
  const replacement = take === "ours" ? ours : take === "theirs" ? theirs : ours + theirs;
  return text.slice(0, start) + replacement + text.slice(end);
}
