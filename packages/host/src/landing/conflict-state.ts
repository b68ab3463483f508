import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type GitConflict, gitConflictSchema, safetyRefSchema } from "@skein/contracts";
import { z } from "zod";
import type { GitFolder } from "../git/git-folder.ts";
import { writeWhole } from "../runner/execution-folder.ts";
import { readFolderFile } from "./read-folder-file.ts";

const sideSchema = z.object({ mode: z.string(), id: z.string() }).nullable();

/** An update that waits for its conflicts to be resolved. Kept in our own git dir of the attempt, so that a restart changes nothing. */
export const conflictStateSchema = z.object({
  ...gitConflictSchema.omit({ files: true, applying: true }).shape,
  /** The attempt's last commit before the update; its branch stays there until the update is finished. */
  head: z.string(),
  /** What has been rebased so far; of a merge, the same as `head`. */
  tip: z.string(),
  /** Of a rebase: the commit with the conflict, and those that follow it. */
  applying: z.object({ commit: z.string(), subject: z.string() }).nullable(),
  todo: z.array(z.string()),
  files: z.array(
    z.object({
      path: z.string(),
      kind: gitConflictSchema.shape.files.element.shape.kind,
      binary: z.boolean(),
      base: sideSchema,
      ours: sideSchema,
      theirs: sideSchema,
      /** The user said so; otherwise a file is resolved when it has no marks. */
      isMarkedResolved: z.boolean(),
    }),
  ),
  safetyRef: safetyRefSchema,
});
export type ConflictState = z.infer<typeof conflictStateSchema>;

const fileOf = ({ ownDir }: GitFolder): string => join(ownDir, "conflict.json");

export async function readConflict(folder: GitFolder): Promise<ConflictState | undefined> {
  const text = await readFile(fileOf(folder), "utf8").catch(() => undefined);
  return text === undefined ? undefined : conflictStateSchema.parse(JSON.parse(text));
}

export async function saveConflict(folder: GitFolder, state: ConflictState | null): Promise<void> {
  if (state === null) await rm(fileOf(folder), { force: true });
  else writeWhole(fileOf(folder), state);
}

/** What clients see of a conflict. A file is resolved when it has no marks left, or the user said so. */
export async function toConflict(folder: GitFolder, state: ConflictState): Promise<GitConflict> {
  const { method, onto, baseBranch, startedAt, applying, todo } = state;
  const files: GitConflict["files"] = [];
  for (const file of state.files) {
    const { path, kind, binary, isMarkedResolved } = file;
    const isResolved = isMarkedResolved || (hadMarks(file) && !(await hasMarks(folder, path)));
    files.push({ path, kind, binary, isResolved });
  }
  return { method, onto, baseBranch, startedAt, files, applying: applying && { ...applying, left: todo.length } };
}

/** Whether git wrote marks into it: a text on both sides. Of a link, a submodule or bytes, it takes one side. */
function hadMarks({ kind, binary, ours, theirs }: ConflictState["files"][number]): boolean {
  if (binary || (kind !== "both-changed" && kind !== "both-added")) return false;
  return [ours, theirs].every((side) => side !== null && isRegular(side));
}

/** Not a symbolic link or a submodule. */
export const isRegular = ({ mode }: { mode: string }): boolean => mode.startsWith("100");

/** A file that is too large to be read counts as one that has them, until the user says so. */
async function hasMarks(folder: GitFolder, path: string): Promise<boolean> {
  const file = await readFolderFile(folder, path);
  if (file.kind !== "file") return false;
  if (file.bytes === null) return true;
  const text = file.bytes.toString("utf8");
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text);
}
