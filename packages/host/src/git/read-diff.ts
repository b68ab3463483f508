import { randomUUID } from "node:crypto";
import { type AttemptDiff, type ChangedFile, type DiffHunk, type DiffStat, type FileMode, fileModeSchema } from "@skein/contracts";
import { decodeBytes } from "./byte-path.ts";
import type { GitTarget } from "./git-environment.ts";
import { type GitFolder, runOwnGit, runOwnGitBounded } from "./git-folder.ts";
import { type LineCount, type ParsedDiff, parseDiff, type RawChange, toKey } from "./parse-diff.ts";
import { findMark } from "./snapshot.ts";

const maxBytes = 16 * 1024 * 1024;
const maxListBytes = 512 * 1024 * 1024;
const maxFiles = 2000;
const compare = ["--raw", "--numstat", "-z", "--find-renames", "--full-index", "--ignore-submodules=dirty"];
const plain = ["--no-ext-diff", "--no-textconv", "--no-color"];

type Target = Pick<GitTarget, "index" | "scratchObjects">;
export type FolderDiff = Pick<AttemptDiff, "files" | "truncated"> & { nested: string[] };

/** A size-limited diff of two trees, or of a tree and an index. `command`: `diff-tree -r` or `diff-index --cached`. */
export async function readDiff(
  folder: GitFolder,
  command: readonly string[],
  trees: readonly string[],
  target: Target = {},
): Promise<FolderDiff> {
  // random, so that no file name can contain it
  const mark = randomUUID();
  const prefixes = { old: `a-${mark}/`, new: `b-${mark}/` };
  const named = [`--src-prefix=${prefixes.old}`, `--dst-prefix=${prefixes.new}`];
  const args = [...command, ...compare, "--patch", ...plain, ...named, ...trees, "--"];
  const { stdout, truncated } = await runOwnGitBounded(folder, args, { target, maxBytes, encoding: "latin1" });
  const parsed = parseDiff(stdout, { prefixes, truncated }) ?? (await readList(folder, command, trees, target));
  const changed = parsed.changes.filter((change) => !isNestedOnly(change));
  return {
    truncated: truncated || changed.length > maxFiles,
    files: changed.slice(0, maxFiles).map((change) => toChangedFile(change, parsed)),
    nested: parsed.changes.flatMap((change) => (findMark(change.newId) === "nested" ? [decodeBytes(change.path).text] : [])),
  };
}

/** Line and file counts only. */
export async function readDiffStat(folder: GitFolder, tree: string, target: Target): Promise<DiffStat> {
  const { changes, counts } = await readList(folder, ["diff-index", "--cached"], [tree], target);
  const files = changes.filter((change) => !isNestedOnly(change));
  const sum = (field: "additions" | "deletions") => files.reduce((total, change) => total + countLines(change, counts)[field], 0);
  return { files: files.length, additions: sum("additions"), deletions: sum("deletions") };
}

/** The file list without patches. */
async function readList(folder: GitFolder, command: readonly string[], trees: readonly string[], target: Target): Promise<ParsedDiff> {
  const args = [...command, ...compare, ...plain, ...trees, "--"];
  const output = await runOwnGit(folder, args, { target, maxBytes: maxListBytes, encoding: "latin1" });
  const parsed = parseDiff(output, { prefixes: { old: "", new: "" }, truncated: false });
  if (parsed === undefined) throw new Error("git did not list all files of a diff");
  return parsed;
}

function findSides({ oldMode, oldId, newMode, newId }: RawChange) {
  const old = oldMode === "160000" ? findMark(oldId) : undefined;
  const next = newMode === "160000" ? findMark(newId) : undefined;
  return { old, next };
}

/** A nested repository that was added or removed, without a file. */
function isNestedOnly(change: RawChange): boolean {
  const { old, next } = findSides(change);
  return (old === "nested" || change.oldMode === "000000") && (next === "nested" || change.newMode === "000000");
}

const noLines: LineCount = { additions: 0, deletions: 0, binary: false };

function countLines(change: RawChange, counts: ParsedDiff["counts"]): LineCount {
  const { old, next } = findSides(change);
  return old === undefined && next === undefined ? (counts.get(toKey(change)) ?? noLines) : noLines;
}

function toChangedFile(change: RawChange, { counts, hunks }: ParsedDiff): ChangedFile {
  const { old, next } = findSides(change);
  const lines = countLines(change, counts);
  const path = decodeBytes(change.path);
  const oldPath = decodeBytes(change.oldPath);
  const isRenamed = change.status === "R";
  const isMarked = old !== undefined || next !== undefined;
  const shown = isMarked ? { hunks: [] } : toShown(change, lines, hunks.get(toKey(change)));
  const unread = [next, old].find((kind) => kind !== undefined && kind !== "nested") as ChangedFile["incomplete"];
  return {
    filePath: path.text,
    change: toChange(change, { old, next }),
    ...lines,
    ...shown,
    ...(unread === undefined ? {} : { incomplete: unread }),
    ...(isRenamed ? { oldPath: oldPath.text } : {}),
    ...(path.isExact ? {} : { pathBytes: toBase64(change.path) }),
    ...(isRenamed && !oldPath.isExact ? { oldPathBytes: toBase64(change.oldPath) } : {}),
    ...(old === undefined ? toSide("old", change.oldMode, change.oldId) : {}),
    ...(next === undefined ? toSide("new", change.newMode, change.newId) : {}),
  };
}

function toChange({ status, oldMode, newMode }: RawChange, marks: ReturnType<typeof findSides>): NonNullable<ChangedFile["change"]> {
  if (oldMode === "000000" || marks.old === "nested") return "created";
  if (newMode === "000000" || marks.next === "nested") return "deleted";
  return status === "R" ? "renamed" : "updated";
}

/** Flags lines that are truncated or cannot be shown exactly. */
function toShown(change: RawChange, { binary }: LineCount, bytes: DiffHunk[] | undefined): Pick<ChangedFile, "hunks" | "incomplete"> {
  const hasSameContent = change.oldId === change.newId;
  if (bytes === undefined) return { hunks: [], ...(binary || hasSameContent ? {} : { incomplete: "not-sent" }) };
  let isExact = true;
  const hunks = bytes.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) => {
      const decoded = decodeBytes(line);
      isExact &&= decoded.isExact;
      return decoded.text;
    }),
  }));
  return { hunks, ...(isExact ? {} : { incomplete: "not-utf8" }) };
}

function toSide(side: "old" | "new", mode: string, id: string): Partial<ChangedFile> {
  const { data: known }: { data?: FileMode } = fileModeSchema.safeParse(mode);
  return known === undefined ? {} : { [`${side}Mode`]: known, [`${side}Id`]: id };
}

function toBase64(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("base64");
}
