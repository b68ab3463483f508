import { mkdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AttemptId, attemptIdSchema, hostIdSchema, projectIdSchema } from "@skein/contracts";
import { z } from "zod";
import { removeMirrorRefs } from "../git/mirror.ts";
import { removeWorktree } from "../git/worktrees.ts";
import { writeWhole } from "../runner/execution-folder.ts";
import { type DataFolders, listNames } from "./data-folders.ts";
import type { GitFolders } from "./git-folders.ts";

const noteSchema = z.object({
  id: attemptIdSchema,
  project: z.object({ id: projectIdSchema, path: z.string() }),
  /** Null if only the branch is made here; `hostId` then is where the folder is made. */
  directory: z.string().nullable(),
  hostId: hostIdSchema.exactOptional(),
  /** Null if the branch was there before. */
  branch: z.string().nullable(),
  /** The commit that the branch is created at. */
  commit: z.string(),
});
/** What is about to be made for an attempt. */
export type CreationNote = z.infer<typeof noteSchema>;

/**
 * Folders and branches that are made before their attempt is saved. Each is noted first, so that a kill at any moment leaves nothing that
 * nobody knows of. The note of an attempt is removed when it is saved, at the latest when its first agent is launched: what has a note
 * contains nobody's work.
 */
export interface Creations {
  /** Runs what makes the folder of an attempt; a removal waits for it. */
  during<T>(id: AttemptId, make: () => Promise<T>): Promise<T>;
  /** Call it before anything is made, and again when more is known. */
  note(note: CreationNote): void;
  find(id: AttemptId): Promise<CreationNote | undefined>;
  list(): Promise<CreationNote[]>;
  keep(id: AttemptId): Promise<void>;
  /** Removes what was made. With `folderOnly`, its branch stays: the attempt is saved, and somewhere else. */
  remove(id: AttemptId, options: { folderOnly: boolean }): Promise<void>;
}

export function createCreations({ folders, gitFolders }: { folders: DataFolders; gitFolders: GitFolders }): Creations {
  const root = folders.creations;
  const making = new Map<AttemptId, Promise<unknown>>();
  const toFile = (id: AttemptId): string => join(root, attemptIdSchema.parse(id));

  async function find(id: string): Promise<CreationNote | undefined> {
    const text = await readFile(join(root, id), "utf8").catch(() => undefined);
    return text === undefined ? undefined : noteSchema.parse(JSON.parse(text));
  }

  async function removeMade({ id, project, directory, branch, commit }: CreationNote, folderOnly: boolean): Promise<void> {
    const repository = await gitFolders.ofProject(project).catch(() => undefined);
    // the refs of a mirror come before the mirror itself
    if (directory === null && repository !== undefined) await removeMirrorRefs(repository, id);
    await removeWorktree({
      ...{ repository, root: folders.worktrees, baseCommit: commit },
      directory: directory ?? join(folders.worktrees, id),
      branch: folderOnly ? null : branch,
    });
    if (directory !== null || !folderOnly) await gitFolders.forget(id);
  }

  return {
    find,
    during(id, make) {
      const made = Promise.allSettled([making.get(id)]).then(make);
      making.set(id, made);
      const forget = (): void => {
        if (making.get(id) === made) making.delete(id);
      };
      made.then(forget, forget);
      return made;
    },
    note(note) {
      mkdirSync(root, { recursive: true, mode: 0o700 });
      writeWhole(toFile(note.id), note);
    },
    async list() {
      const ids = (await listNames(root)).filter((name) => attemptIdSchema.safeParse(name).success);
      return (await Promise.all(ids.map(find))).filter((note) => note !== undefined);
    },
    keep: (id) => rm(toFile(id), { force: true }),
    async remove(id, { folderOnly }) {
      await making.get(id)?.catch(() => {});
      const note = await find(id);
      if (note === undefined) return;
      await removeMade(note, folderOnly);
      await rm(toFile(id), { force: true });
    },
  };
}
