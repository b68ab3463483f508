import type { DiffHunk, FileSelection } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { readBlobs } from "../git/own-git-dir.ts";
import { parseDiff, type RawChange, toKey } from "../git/parse-diff.ts";
import { withScratch } from "../git/scratch.ts";
import { toBytePath, writeTree } from "./folder-tree.ts";

const prefixes = { old: "a/", new: "b/" };

/**
 * The tree `from` with a part of what differs in the tree `to`: the selected files and hunks (`take: "selected"`), or all others
 * (`take: "others"`). Hunks are those of `git diff` with three lines of context. Throws when a selected file or hunk is not part of the
 * difference any more.
 */
export async function selectChanges(
  folder: GitFolder,
  input: { from: string; to: string; files: readonly FileSelection[]; take: "selected" | "others" },
): Promise<string> {
  const { from, to, take } = input;
  const { changes, hunks } = await readChanges(folder, from, to);
  const selected = new Map(input.files.map((file) => [toBytePath(file.path), file]));
  for (const file of input.files) {
    const change = changes.find(({ path }) => path === toBytePath(file.path));
    if (change === undefined) throw changedSince(file.path);
    const content = change.newId;
    if (file.contentId !== undefined && file.contentId !== "" && !content.startsWith(file.contentId) && !/^0+$/.test(content)) {
      throw changedSince(file.path);
    }
  }
  const lines: string[] = [];
  for (const change of changes) {
    const selection = selected.get(change.path);
    const all = hunks.get(toKey(change)) ?? [];
    const taken = pickHunks(selection, all, take);
    if (taken === "none") continue;
    if (taken === "all") lines.push(...toEntry(change, change.newMode, change.newId));
    else lines.push(...toEntry(change, change.newMode, await writeMixed(folder, change, all, taken)));
  }
  return withScratch(folder, async ({ index }) => {
    const target = { index };
    await runOwnGit(folder, ["read-tree", from], { target });
    if (lines.length > 0) {
      await runOwnGit(folder, ["update-index", "--replace", "-z", "--index-info"], { target, input: lines.join(""), encoding: "latin1" });
    }
    return writeTree(folder, index);
  });
}

async function readChanges(folder: GitFolder, from: string, to: string) {
  const args = ["diff-tree", "-r", "--raw", "--numstat", "-z", "--find-renames", "--full-index", "--patch"];
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color", `--src-prefix=${prefixes.old}`, `--dst-prefix=${prefixes.new}`];
  const output = await runOwnGit(folder, [...args, ...plain, from, to, "--"], { encoding: "latin1", maxBytes: 512 * 1024 * 1024 });
  const parsed = parseDiff(output, { prefixes, truncated: false });
  if (parsed === undefined) throw new Error("git did not list all files of a diff");
  return parsed;
}

function changedSince(path: string): ServiceError {
  return new ServiceError("conflict", { code: "changed-since", path });
}

/** Which hunks of a file go into the result. */
function pickHunks(
  selection: FileSelection | undefined,
  all: readonly DiffHunk[],
  take: "selected" | "others",
): "all" | "none" | Set<DiffHunk> {
  if (selection === undefined) return take === "selected" ? "none" : "all";
  if (selection.hunks === undefined) return take === "selected" ? "all" : "none";
  const wanted = selection.hunks.map((hunk) => {
    const found = all.find((one) =>
      (["oldStart", "oldLines", "newStart", "newLines"] as const).every((field) => one[field] === hunk[field]),
    );
    if (found === undefined) throw changedSince(selection.path);
    return found;
  });
  const taken = take === "selected" ? wanted : all.filter((hunk) => !wanted.includes(hunk));
  if (taken.length === all.length) return "all";
  return taken.length === 0 ? "none" : new Set(taken);
}

/** A renamed file leaves its old place. */
function toEntry(change: RawChange, mode: string, id: string): string[] {
  const none = "0".repeat(change.newId.length);
  const gone = change.status === "R" ? [`0 ${none}\t${change.oldPath}\0`] : [];
  return [...gone, mode === "000000" ? `0 ${none}\t${change.path}\0` : `${mode} ${id}\t${change.path}\0`];
}

/** Writes the old content with the taken hunks applied. */
async function writeMixed(folder: GitFolder, change: RawChange, all: readonly DiffHunk[], taken: ReadonlySet<DiffHunk>): Promise<string> {
  const isNew = /^0+$/.test(change.oldId);
  const old = isNew ? "" : ((await readBlobs(folder, [change.oldId])).get(change.oldId) ?? "");
  const content = mixHunks(old, all, taken);
  return (await runOwnGit(folder, ["hash-object", "-w", "--stdin"], { input: content, encoding: "latin1" })).trim();
}

/** `old` with the `taken` hunks in their new form and the others in their old one. A character is a byte. */
export function mixHunks(old: string, all: readonly DiffHunk[], taken: ReadonlySet<DiffHunk>): string {
  const lines = old.split(/(?<=\n)/);
  let result = "";
  let at = 0;
  for (const hunk of all) {
    // a hunk without old lines names the line before it
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    result += lines.slice(at, start).join("");
    at = start + hunk.oldLines;
    result += taken.has(hunk) ? newSide(hunk) : lines.slice(start, at).join("");
  }
  return result + lines.slice(at).join("");
}

function newSide({ lines }: DiffHunk): string {
  let text = "";
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith("+") && !line.startsWith(" ")) continue;
    const hasNoEnd = lines[at + 1]?.startsWith("\\") ?? false;
    text += line.slice(1) + (hasNoEnd ? "" : "\n");
  }
  return text;
}
