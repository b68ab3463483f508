import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptId } from "@skein/contracts";
import { z } from "zod";
import { writeWhole } from "../runner/execution-folder.ts";
import { type GitFolder, runOwnGit, tryOwnGit } from "./git-folder.ts";
import { createOwnGitDir } from "./own-git-dir.ts";

/*
 * A mirror is our git dir for an attempt whose folder is on another host. It has the same records, a HEAD of its own, and in `mirror.json`
 * what the folder held when the mirror was last updated. Its `directory` is the project's, which has the repository.
 */

const mirrorSchema = z.object({
  branch: z.string(),
  head: z.string(),
  tree: z.string(),
  safetyRefs: z.array(z.object({ ref: z.string(), commit: z.string() })),
});
export type Mirror = z.infer<typeof mirrorSchema>;

const file = "mirror.json";

/** Undefined if the folder is on this machine. */
export async function findMirror({ ownDir }: Pick<GitFolder, "ownDir">): Promise<Mirror | undefined> {
  const text = await readFile(join(ownDir, file), "utf8").catch(() => undefined);
  return text === undefined ? undefined : mirrorSchema.parse(JSON.parse(text));
}

const toRefs = (attemptId: AttemptId) => ({
  head: `refs/skein/mirrors/${attemptId}`,
  tree: `refs/skein/mirrored-trees/${attemptId}`,
});

/** Protects the objects of a mirror. */
export async function writeMirrorRefs(repository: GitFolder, attemptId: AttemptId, mirror: Pick<Mirror, "head" | "tree">): Promise<void> {
  const { head, tree } = toRefs(attemptId);
  const input = `update ${head} ${mirror.head}\nupdate ${tree} ${mirror.tree}\n`;
  await runOwnGit(repository, ["update-ref", "--stdin"], { input });
}

export async function removeMirrorRefs(repository: GitFolder, attemptId: AttemptId): Promise<void> {
  for (const ref of Object.values(toRefs(attemptId))) await tryOwnGit(repository, ["update-ref", "-d", ref]);
}

/** Creates or updates a mirror. `repository` is that of the project. */
export async function writeMirror(repository: GitFolder, ownDir: string, mirror: Mirror): Promise<GitFolder> {
  const gitDir = join(ownDir, "mirror");
  const folder = await createOwnGitDir(ownDir, { ...repository, gitDir });
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  await writeFile(join(gitDir, "HEAD"), `ref: refs/heads/${mirror.branch}\n`, { mode: 0o600 });
  writeWhole(join(ownDir, file), mirror);
  return folder;
}
