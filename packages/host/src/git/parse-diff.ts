import type { DiffHunk } from "@skein/contracts";
import { parseUnifiedPatch } from "@skein/engine";

/*
 * All input is latin1, one character per byte; names and lines are decoded after parsing. Patches are matched to files by name, not by
 * position: git prints two patches for a file that became a link, and none for a file without changed lines.
 */

/** One entry of `git diff --raw -z`. */
export interface RawChange {
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
  /** `A`, `D`, `M`, `T` (type changed) or `R` (renamed). */
  status: string;
  oldPath: string;
  path: string;
}

export interface LineCount {
  additions: number;
  deletions: number;
  binary: boolean;
}

export interface ParsedDiff {
  changes: RawChange[];
  /** By `toKey`. */
  counts: Map<string, LineCount>;
  /** By `toKey`; without truncated ones. */
  hunks: Map<string, DiffHunk[]>;
}

export function toKey({ oldPath, path }: Pick<RawChange, "oldPath" | "path">): string {
  return `${oldPath}\0${path}`;
}

/** Undefined if the file list itself is truncated. `prefixes` are those passed to git; no file name contains them. */
export function parseDiff(
  output: string,
  { prefixes, truncated }: { prefixes: { old: string; new: string }; truncated: boolean },
): ParsedDiff | undefined {
  const reader = createFieldReader(output);
  const changes = parseRaw(reader);
  const counts = parseNumstat(reader, changes.length);
  if (reader.isCutOff()) return undefined;
  // a NUL separates the lists from the patches
  const hunks = parsePatches(output.slice(reader.position() + 1), { changes, prefixes, truncated });
  return { changes, counts, hunks };
}

interface FieldReader {
  peek(): string | undefined;
  next(): string;
  position(): number;
  isCutOff(): boolean;
}

function createFieldReader(text: string): FieldReader {
  let at = 0;
  let cutOff = false;
  return {
    peek: () => text[at],
    next() {
      const end = text.indexOf("\0", at);
      if (end === -1) cutOff = true;
      const field = end === -1 ? "" : text.slice(at, end);
      at = end === -1 ? text.length : end + 1;
      return field;
    },
    position: () => at,
    isCutOff: () => cutOff,
  };
}

function parseRaw(reader: FieldReader): RawChange[] {
  const changes: RawChange[] = [];
  while (reader.peek() === ":") {
    const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = reader.next().slice(1).split(" ");
    const oldPath = reader.next();
    const path = status.startsWith("R") || status.startsWith("C") ? reader.next() : oldPath;
    changes.push({ oldMode, newMode, oldId, newId, status: status.slice(0, 1), oldPath, path });
  }
  return changes;
}

/** `added TAB deleted TAB path NUL`, or for a rename `added TAB deleted TAB NUL old NUL new NUL`. Paths may contain tabs. */
function parseNumstat(reader: FieldReader, count: number): Map<string, LineCount> {
  const counts = new Map<string, LineCount>();
  for (let i = 0; i < count; i++) {
    const [, added = "", deleted = "", single = ""] = /^([0-9-]+)\t([0-9-]+)\t(.*)$/s.exec(reader.next()) ?? [];
    const oldPath = single === "" ? reader.next() : single;
    const path = single === "" ? reader.next() : single;
    const binary = added === "-";
    counts.set(toKey({ oldPath, path }), { additions: binary ? 0 : Number(added), deletions: binary ? 0 : Number(deleted), binary });
  }
  return counts;
}

function parsePatches(
  patches: string,
  { changes, prefixes, truncated }: { changes: readonly RawChange[]; prefixes: { old: string; new: string }; truncated: boolean },
): Map<string, DiffHunk[]> {
  const keys = new Map(
    changes.map((change) => {
      const header = `diff --git ${quotePath(prefixes.old + change.oldPath)} ${quotePath(prefixes.new + change.path)}`;
      return [header, toKey(change)] as const;
    }),
  );
  const hunks = new Map<string, DiffHunk[]>();
  // content lines start with a space, + or -
  const sections = patches.split(/^(?=diff --git )/m).filter((section) => section !== "");
  if (truncated) sections.pop();
  for (const section of sections) {
    const key = keys.get(section.slice(0, section.indexOf("\n")));
    if (key === undefined) throw new Error("git showed a patch of a file that it did not list");
    hunks.set(key, [...(hunks.get(key) ?? []), ...(parseUnifiedPatch(section, { keepNotes: true }) ?? [])]);
  }
  return hunks;
}

const letters: Record<string, string> = { "\x07": "a", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v" };

/** Quotes a name like git does in patch headers with `core.quotePath` off. */
function quotePath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what git quotes
  const special = /[\x00-\x1f\x7f"\\]/g;
  if (path.search(special) === -1) return path;
  const toEscape = (character: string): string =>
    `\\${letters[character] ?? (/["\\]/.test(character) ? character : character.charCodeAt(0).toString(8).padStart(3, "0"))}`;
  return `"${path.replace(special, toEscape)}"`;
}
