import type { AttemptId, SafetyRef } from "@skein/contracts";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { resolveHead } from "../git/resolve-base.ts";
import { writeFolderTree } from "./folder-tree.ts";
import { ownIdentity, writeCommit } from "./identity.ts";

const prefix = "refs/skein/safety/";
const keptForMs = 30 * 24 * 60 * 60_000;

/**
 * Keeps what the folder holds now, before it is changed: a commit on top of the last one, named by a ref of ours. Excluded files are not
 * in it. Returns the tree as well.
 */
export async function writeSafetyRef(input: {
  folder: GitFolder;
  attemptId: AttemptId;
  baseCommit: string | null;
  before: SafetyRef["before"];
  now: number;
}): Promise<{ safetyRef: SafetyRef; tree: string }> {
  const { folder, attemptId, before, now } = input;
  const tree = await writeFolderTree(folder, input.baseCommit);
  const head = await resolveHead(folder);
  const message = `Files before ${before}\n`;
  const commit = await writeCommit(folder, { tree, parents: head === null ? [] : [head], message, committer: ownIdentity });
  await pruneSafetyRefs(folder, attemptId, { now });
  const ref = await claimName(folder, `${prefix}${attemptId}/${now}-${before}`, commit);
  return { safetyRef: { ref, commit, before, createdAt: now }, tree };
}

/** Two steps in the same millisecond get two names. */
async function claimName(folder: GitFolder, name: string, commit: string): Promise<string> {
  for (let number = 1; ; number++) {
    const ref = number === 1 ? name : `${name}-${number}`;
    const none = "0".repeat(commit.length);
    try {
      await runOwnGit(folder, ["update-ref", ref, commit, none]);
      return ref;
    } catch (error) {
      if (number === 10) throw error;
    }
  }
}

/** Newest first. */
export async function listSafetyRefs(folder: GitFolder, attemptId: AttemptId): Promise<SafetyRef[]> {
  const output = await runOwnGit(folder, ["for-each-ref", "--format=%(objectname) %(refname)", `${prefix}${attemptId}/`]);
  const refs = output.split("\n").flatMap((line) => {
    const [commit = "", ref = ""] = line.split(" ");
    const [, at, before] = /\/(\d+)-(discard|restore|update|land|resolve|abort)(?:-\d+)?$/.exec(ref) ?? [];
    return before === undefined ? [] : [{ ref, commit, before: before as SafetyRef["before"], createdAt: Number(at) }];
  });
  return refs.toSorted((a, b) => b.createdAt - a.createdAt);
}

/** Deletes those of an attempt that are older than 30 days; with `all`, every one of them. */
export async function pruneSafetyRefs(
  folder: GitFolder,
  attemptId: AttemptId,
  { now, all = false }: { now: number; all?: boolean },
): Promise<void> {
  const old = (await listSafetyRefs(folder, attemptId)).filter(({ createdAt }) => all || createdAt < now - keptForMs);
  if (old.length === 0) return;
  await runOwnGit(folder, ["update-ref", "--stdin"], { input: old.map(({ ref, commit }) => `delete ${ref} ${commit}\n`).join("") });
}
