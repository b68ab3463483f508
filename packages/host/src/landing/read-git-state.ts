import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AttemptId, BranchState, GitObstacle, GitObstacleText, GitOperationName, Isolation, Landing } from "@skein/contracts";
import { type GitFolder, tryOwnGit } from "../git/git-folder.ts";
import type { RemovedFolder } from "../git/removed-folder.ts";
import { listUncommitted } from "../git/uncommitted.ts";
import { findShared } from "./commit-graph.ts";
import { readConflict, toConflict } from "./conflict-state.ts";
import { findRef, readBranch } from "./git-operation.ts";
import { chooseRemote, findPushed, hideCredentials } from "./remotes.ts";
import { listSafetyRefs } from "./safety-refs.ts";
import { toShellCommand } from "./shell-command.ts";

const maxPaths = 200;

/** Everything that the git bar of an attempt shows, but for what only the database knows (`landing`). */
export async function readGitState(input: {
  folder: GitFolder;
  attemptId: AttemptId;
  isolation: Isolation;
  baseBranch: string | null;
  baseCommit: string | null;
  isRunning: boolean;
  landing: Landing | null;
  /** The worktree is gone; its branch has everything. */
  removed?: RemovedFolder | undefined;
}): Promise<BranchState> {
  const { folder, attemptId, baseBranch, landing, removed } = input;
  const { ref, commit: head } =
    removed === undefined ? await readBranch(folder) : { ref: `refs/heads/${removed.branch}`, commit: removed.head };
  const tip = baseBranch === null ? null : await findBase(folder, baseBranch);
  const [ahead, behind] = await countApart(folder, { head, tip, landing, baseCommit: input.baseCommit });
  const paths = removed === undefined ? (await listUncommitted(folder)).toSorted() : [];
  const conflict = removed === undefined ? await readConflict(folder) : undefined;
  const branch = ref?.replace("refs/heads/", "") ?? null;
  const remote = await findRemote(folder, baseBranch, branch);
  const facts: Facts = {
    ...input,
    branch,
    head,
    tip,
    ahead,
    dirty: paths.length,
    isInConflict: conflict !== undefined,
    hasRemote: remote !== null,
  };
  return {
    branch,
    head,
    base: { branch: baseBranch, tip, commit: input.baseCommit },
    ahead,
    behind,
    dirty: { files: paths.length, paths: paths.slice(0, maxPaths) },
    conflict: conflict === undefined ? null : await toConflict(folder, conflict),
    landing,
    safetyRefs: await listSafetyRefs(folder, attemptId),
    remote,
    obstacles: listObstacles(folder, facts),
  };
}

async function findBase(folder: GitFolder, branch: string): Promise<string | null> {
  return (await findRef(folder, `refs/heads/${branch}^{commit}`)) ?? (await findRef(folder, `refs/remotes/${branch}^{commit}`));
}

async function countApart(
  folder: GitFolder,
  { head, tip, ...known }: { head: string | null; tip: string | null; landing: Landing | null; baseCommit: string | null },
): Promise<[number | null, number | null]> {
  if (head === null || tip === null) return [null, null];
  const shared = await findShared(folder, { ...known, head, tip });
  const except = [shared?.head, shared?.commit].flatMap((commit) => (commit ? [`^${commit}`] : []));
  const output = await tryOwnGit(folder, ["rev-list", "--left-right", "--count", `${head}...${tip}`, ...except]);
  const [ahead, behind] = (output ?? "").split(/\s+/).map(Number);
  return output === null || ahead === undefined || behind === undefined ? [null, null] : [ahead, behind];
}

async function findRemote(folder: GitFolder, baseBranch: string | null, branch: string | null): Promise<BranchState["remote"]> {
  const remote = await chooseRemote(folder, { baseBranch }).catch(() => null);
  if (remote === null) return null;
  return {
    name: remote.name,
    url: hideCredentials(remote.url),
    pushed: branch === null ? null : await findPushed(folder, remote.name, branch),
  };
}

interface Facts {
  isolation: Isolation;
  isRunning: boolean;
  branch: string | null;
  head: string | null;
  baseBranch: string | null;
  tip: string | null;
  ahead: number | null;
  dirty: number;
  isInConflict: boolean;
  hasRemote: boolean;
}

const none = undefined;
const obstacle = (text: GitObstacleText, ...command: string[]): GitObstacle =>
  command.length === 0 ? { text } : { text, command: toShellCommand(...command) };

/** What keeps each operation from being done, the first reason of each. */
function listObstacles(folder: GitFolder, facts: Facts): BranchState["obstacles"] {
  const { head, branch, baseBranch, tip, ahead, dirty } = facts;
  const base = baseBranch ?? "";
  const git = ["git", "-C", folder.directory];
  const lock = join(folder.gitDir, "index.lock");
  const busy = facts.isRunning
    ? obstacle({ code: "agent-working" })
    : existsSync(lock)
      ? obstacle({ code: "index-locked", path: lock }, "rm", lock)
      : none;
  const conflict = facts.isInConflict ? obstacle({ code: "in-conflict" }) : none;
  const place =
    head === null
      ? obstacle({ code: "unborn-branch" })
      : branch === null
        ? obstacle({ code: "detached-head" }, ...git, "switch", "--create", "<branch>")
        : none;
  const own = facts.isolation === "in-place" ? obstacle({ code: "in-place" }) : none;
  const based =
    baseBranch === null
      ? obstacle({ code: "no-base-branch" })
      : tip === null
        ? obstacle({ code: "base-gone", base }, ...git, "branch", base, head ?? "HEAD")
        : none;
  const uncommitted = dirty > 0 ? obstacle({ code: "uncommitted", files: dirty }) : none;
  const work = ahead === 0 ? obstacle({ code: "nothing-to-land", base }) : none;
  const remote = facts.hasRemote ? none : obstacle({ code: "no-remote" }, ...git, "remote", "add", "origin", "<address>");
  const detached = branch === null && head !== null ? place : none;
  const clean = dirty === 0 ? obstacle({ code: "nothing-to-commit" }) : none;
  const first: Record<GitOperationName, GitObstacle | undefined> = {
    commit: busy ?? conflict ?? detached ?? clean,
    discard: busy,
    restore: busy ?? conflict,
    update: own ?? busy ?? conflict ?? place ?? based ?? uncommitted,
    land: own ?? busy ?? conflict ?? place ?? based ?? uncommitted ?? work,
    push: busy ?? conflict ?? place ?? remote,
  };
  return Object.fromEntries(Object.entries(first).filter(([, obstacle]) => obstacle !== undefined)) as BranchState["obstacles"];
}
