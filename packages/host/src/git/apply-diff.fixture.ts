import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { type AttemptDiff, attemptDiffSchema, type ChangedFile, type DiffHunk } from "@skein/contracts";
import { toFsPath } from "./byte-path.ts";

/** `mode` as git writes it; the `content` of a link is its target. */
export interface FileState {
  mode: string;
  content: Buffer;
}

/** By path; one character per byte. */
export type FolderState = Map<string, FileState>;

/** Reads the files on disk, without those that the diff declares as not compared. */
export function readFolderState(directory: string, isLeftOut: (path: string, isFolder: boolean) => boolean = () => false): FolderState {
  const state: FolderState = new Map();
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder === "" ? directory : toFsPath(directory, folder), { encoding: "buffer" })) {
      const path = (folder === "" ? "" : `${folder}/`) + name.toString("latin1");
      const full = toFsPath(directory, path);
      const stats = lstatSync(full);
      if (path === ".git" || isLeftOut(path, stats.isDirectory())) continue;
      if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink()) state.set(path, { mode: "120000", content: readlinkSync(full, { encoding: "buffer" }) });
      else if (stats.isFile()) state.set(path, { mode: stats.mode & 0o100 ? "100755" : "100644", content: readFileSync(full) });
    }
  };
  walk("");
  return state;
}

const decode = (path: string): string => Buffer.from(path, "latin1").toString("utf8");

/** Matches what the diff does not compare: excluded files and nested repositories. */
export function toLeftOut(diff: AttemptDiff): (path: string, isFolder: boolean) => boolean {
  const excluded = new Set(diff.excluded?.paths);
  const nested = new Set(diff.nested);
  return (path, isFolder) => excluded.has(isFolder ? `${decode(path)}/` : decode(path)) || (isFolder && nested.has(decode(path)));
}

/**
 * Applies the diff to the base, as a client would: parsed from JSON. The content of a file that the diff does not show is taken from
 * disk and must have the id that the diff reports.
 */
export function applyDiff(base: FolderState, answer: AttemptDiff, actual: FolderState): FolderState {
  const diff = attemptDiffSchema.parse(JSON.parse(JSON.stringify(answer)));
  const result: FolderState = new Map(base);
  for (const file of diff.files)
    result.delete(toBytes(file.oldPath ?? file.filePath, file.oldPathBytes ?? (file.oldPath === undefined ? file.pathBytes : undefined)));
  for (const file of diff.files) {
    if (file.change === "deleted") continue;
    const path = toBytes(file.filePath, file.pathBytes);
    const before = base.get(
      toBytes(file.oldPath ?? file.filePath, file.oldPathBytes ?? (file.oldPath === undefined ? file.pathBytes : undefined)),
    );
    const content = isUnshown(file) ? proveContent(file, actual.get(path)) : applyHunks(file, before?.content ?? Buffer.alloc(0));
    const mode = file.newMode ?? actual.get(path)?.mode ?? "";
    result.set(path, { mode, content });
  }
  return result;
}

function isUnshown({ binary, incomplete }: ChangedFile): boolean {
  return binary || incomplete !== undefined;
}

/** Returns the content on disk if it has the id that the diff reports. */
function proveContent({ newId, incomplete }: ChangedFile, actual: FileState | undefined): Buffer {
  const content = actual?.content ?? Buffer.from("missing");
  if (incomplete === "too-large" || incomplete === "unreadable" || incomplete === "special") return content;
  return toBlobId(content) === newId ? content : Buffer.from(`not ${newId}`);
}

export function toBlobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

function toBytes(path: string, bytes: string | undefined): string {
  return (bytes === undefined ? Buffer.from(path, "utf8") : Buffer.from(bytes, "base64")).toString("latin1");
}

function applyHunks({ hunks, oldMode, newMode }: ChangedFile, before: Buffer): Buffer {
  const isOtherKind = oldMode !== undefined && oldMode.slice(0, 3) !== newMode?.slice(0, 3);
  const old = isOtherKind ? [] : splitLines(before.toString("latin1"));
  const result: string[] = [];
  let at = 0;
  for (const hunk of isOtherKind ? hunks.filter(({ newLines }) => newLines > 0) : hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    result.push(...old.slice(at, start));
    at = start;
    for (const [kind, text] of toHunkLines(hunk)) {
      if (kind !== "+") {
        if (old[at] !== text) throw new Error(`The diff removes or keeps a line that does not exist: ${text}`);
        at += 1;
      }
      if (kind !== "-") result.push(text);
    }
  }
  return Buffer.from([...result, ...old.slice(at)].join(""), "latin1");
}

/** Lines with their line endings, which the last one may lack; one character per byte. */
function toHunkLines({ lines }: DiffHunk): [kind: string, text: string][] {
  return lines.flatMap((line, index) => {
    if (line.startsWith("\\")) return [];
    const hasEnd = lines[index + 1]?.startsWith("\\") !== true;
    const bytes = Buffer.from(line.slice(1), "utf8").toString("latin1");
    return [[line.slice(0, 1), bytes + (hasEnd ? "\n" : "")] as [string, string]];
  });
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
