import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gitConflictSchema, safetyRefSchema } from "@skein/contracts";
import { z } from "zod";
import type { GitFolder } from "../git/git-folder.ts";
import { writeWhole } from "../runner/execution-folder.ts";

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
