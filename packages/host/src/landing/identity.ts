import { join } from "node:path";
import { type GitFolder, runOwnGit, tryOwnGit } from "../git/git-folder.ts";
import { GitObstacleError } from "./git-obstacle.ts";

export interface GitIdentity {
  name: string;
  email: string;
}

/**
 * Who commits: what the repository's own config says, as data and without its includes, else what the user's settings say. Throws
 * `GitObstacleError` where neither names anybody.
 */
export async function readIdentity(folder: GitFolder): Promise<GitIdentity> {
  const [name, email] = [await readSetting(folder, "user.name"), await readSetting(folder, "user.email")];
  if (name !== undefined && email !== undefined) return { name, email };
  throw new GitObstacleError(
    { code: "no-identity" },
    { command: 'git config --global user.name "Your Name" && git config --global user.email you@example.com' },
  );
}

async function readSetting(folder: GitFolder, key: string): Promise<string | undefined> {
  const local = await tryOwnGit(folder, ["config", "--file", join(folder.commonDir, "config"), "--no-includes", "--get", key]);
  const value = local || (await tryOwnGit(folder, ["config", "--includes", "--get", key], { target: { settings: "user" } }));
  return value || undefined;
}

/** For commits that keep something: nobody's work. */
export const ownIdentity: GitIdentity = { name: "Skein", email: "skein@localhost" };

/** Makes a commit object. No ref names it yet. */
export async function writeCommit(
  folder: GitFolder,
  input: {
    tree: string;
    parents: readonly string[];
    message: string;
    committer: GitIdentity;
    /** Without it, the committer. */
    author?: GitIdentity & { date: string };
  },
): Promise<string> {
  const { tree, parents, message, committer, author } = input;
  const config = [
    ["user.name", committer.name],
    ["user.email", committer.email],
    ["commit.gpgSign", "false"],
    ["i18n.commitEncoding", "UTF-8"],
  ] as const;
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  const commit = await runOwnGit(folder, args, { input: message, target: { config, ...(author === undefined ? {} : { author }) } });
  return commit.trim();
}
