import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GitFolder } from "../git/git-folder.ts";

/** Creates a git dir with nothing but the objects of a repository. The caller adds `config`. */
export async function createObjectsGitDir(gitDir: string, { commonDir }: Pick<GitFolder, "commonDir">): Promise<void> {
  await mkdir(join(gitDir, "refs"), { recursive: true });
  await symlink(join(commonDir, "objects"), join(gitDir, "objects"));
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/skein-none\n");
}
