import { type GitObstacle, ServiceError } from "@skein/contracts";

/** Why an operation on an attempt's branch cannot be done. Clients format `obstacle`; the message is English, with what to do. */
export class GitObstacleError extends ServiceError {
  readonly obstacle: GitObstacle;

  constructor(obstacle: GitObstacle, options?: ErrorOptions) {
    super("conflict", obstacle.code, describeObstacle(obstacle), options);
    this.obstacle = obstacle;
  }
}

type Params = Record<string, string>;

const texts: Record<GitObstacle["code"], (params: Params) => string> = {
  "agent-running": () => "The agent is still working. Stop it or wait until it has ended.",
  "nothing-to-commit": () => "There is nothing to commit: no file differs from the last commit.",
  "nothing-to-land": ({ base }) => `There is nothing to land: ${base} already has every commit of this attempt.`,
  uncommitted: ({ files }) => `${files} changed files are not committed. Commit or discard them first.`,
  "behind-base": ({ base, behind }) => `${base} has ${behind} commits that this attempt does not have. Update the attempt first.`,
  "in-conflict": () => "The attempt is in the middle of an update with conflicts. Resolve them or abort the update first.",
  "detached-head": () => "The folder has no branch checked out (detached HEAD). Check out a branch in it first.",
  "unborn-branch": () => "The repository has no commit yet. Make a first commit.",
  "no-base-branch": () => "The attempt has no base branch: it was started from a commit.",
  "base-gone": ({ base }) => `The base branch ${base} no longer exists. Recreate it, or push this branch and open a pull request.`,
  "base-checked-out-dirty": ({ base, path }) =>
    `${base} is checked out in ${path} with uncommitted changes. Commit or stash them there first.`,
  "base-checked-out-elsewhere": ({ base, path }) =>
    `${base} is checked out in another worktree, ${path}. Check out another branch there first.`,
  "base-not-fast-forward": ({ base }) =>
    `${base} has commits that this attempt does not have, so it cannot be fast-forwarded. Update the attempt first.`,
  "no-identity": () => "Git does not know who you are. Set your name and email address.",
  "no-remote": () => "The repository has no remote to push to. Add one.",
  "no-credential": ({ host }) => `There is no credential for ${host}. Sign in with its command line tool, or add a token in the settings.`,
  "index-locked": ({ path }) =>
    `Another git command is running in this folder (${path} exists). Wait for it; if none is running, delete that file.`,
  "in-place": () => "The attempt works in your checkout, so there is no branch of its own to update or land.",
  shallow: () => "The repository is a shallow clone that lacks the history this needs. Fetch the rest of it first.",
  "git-too-old": ({ version }) => `This needs git 2.38 or newer; ${version} is installed.`,
};

/** One or two English sentences: what is wrong, and what to do. */
export function describeObstacle({ code, params }: GitObstacle): string {
  return texts[code](params);
}
