import type { GitState } from "@skein/contracts";

/** The most likely next step with an attempt's branch. */
export type GitStep = "resolve" | "commit" | "update" | "land" | "push" | "pull-request" | "none";

/**
 * The one primary action of an attempt: resolve a conflict, commit, update, then land, or push if it cannot be landed here. With an open
 * pull request its commits go there instead of the base branch. `none` if nothing is left to do, or nothing can be done now.
 */
export function chooseGitStep(state: GitState): GitStep {
  const can = (step: keyof GitState["obstacles"]): boolean => state.obstacles[step] === undefined;
  if (state.conflict !== null) return "resolve";
  if (state.dirty.files > 0) return can("commit") ? "commit" : "none";
  if ((state.ahead ?? 0) === 0) return "none";
  const { pullRequest } = state;
  if (pullRequest?.state === "open" || pullRequest?.state === "draft") {
    return pullRequest.headCommit !== state.head && can("push") ? "pull-request" : "none";
  }
  if (pullRequest?.state === "merged" && pullRequest.headCommit === state.head) return "none";
  if ((state.behind ?? 0) > 0 && can("update")) return "update";
  if (can("land")) return "land";
  return can("push") ? "push" : "none";
}
