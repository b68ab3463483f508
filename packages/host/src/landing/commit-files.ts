import type { AttemptId, Committed, FileSelection } from "@skein/contracts";
import type { GitFolder } from "../git/git-folder.ts";
import { emptyTree } from "../git/git-folder.ts";
import { assertUnlocked } from "./agent-index.ts";
import { listDifferences, treeOf, writeFolderTree } from "./folder-tree.ts";
import { GitObstacleError, refuseLfs } from "./git-obstacle.ts";
import { readBranch, runOperation } from "./git-operation.ts";
import { readIdentity, writeCommit } from "./identity.ts";
import { openHooks, runCommitHooks, type TrustedHooks } from "./run-hooks.ts";
import { selectChanges } from "./select-changes.ts";

/**
 * Commits what differs from the last commit, or the selected part of it, on the branch of the folder. Runs hooks only if the user trusts
 * them; a hook that fails refuses the commit.
 */
export async function commitFiles(input: {
  folder: GitFolder;
  attemptId: AttemptId;
  baseCommit: string | null;
  message: string;
  /** Without it, everything. */
  files?: readonly FileSelection[] | undefined;
  hooks?: TrustedHooks | undefined;
}): Promise<Omit<Committed, "hooks"> & { hookOutput: string }> {
  const { folder, attemptId, baseCommit, files } = input;
  assertUnlocked(folder);
  const branch = await readBranch(folder);
  if (branch.ref === null) throw new GitObstacleError({ code: "detached-head" });
  await refuseLfs(folder, baseCommit);
  const committer = await readIdentity(folder);
  const before = branch.commit === null ? emptyTree(folder) : await treeOf(folder, branch.commit);
  const current = await writeFolderTree(folder, baseCommit);
  const selected = files === undefined ? current : await selectChanges(folder, { from: before, to: current, files, take: "selected" });
  if (selected === before) throw new GitObstacleError({ code: "nothing-to-commit" });
  const hooks = input.hooks && (await openHooks(folder, input.hooks));
  const planned = { tree: selected, message: toMessage(input.message) };
  const { tree, message } = hooks === undefined ? planned : await runCommitHooks(folder, hooks, planned);
  const changed = await listDifferences(folder, before, tree);
  if (changed.length === 0) throw new GitObstacleError({ code: "nothing-to-commit" });
  const parents = branch.commit === null ? [] : [branch.commit];
  const commit = await writeCommit(folder, { tree, parents, message: toMessage(message), committer });
  await runOperation(folder, {
    ...{ kind: "commit", attemptId, baseCommit, files: null, landing: null },
    refs: [{ ref: branch.ref, from: branch.commit, to: commit }],
    index: { commit, from: branch.commit },
  });
  // the commit is made, whatever it reports
  await hooks?.run("post-commit").catch(() => {});
  return { commit, files: changed.length, hookOutput: hooks?.output ?? "" };
}

function toMessage(message: string): string {
  return `${message.trim()}\n`;
}
