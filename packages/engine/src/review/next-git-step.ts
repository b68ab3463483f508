import type { GitState } from "@skein/contracts";

/** What the user most likely wants to do next with an attempt's branch. */
export type GitStep = "resolve" | "commit" | "update" | "land" | "push" | "pull-request" | "none";

/**
 * The one primary action of an attempt: resolve a conflict, commit, update, then land, or push to an open pull request. `none` where
 * nothing is left to do, or nothing can be done now.
 */
export function chooseGitStep(state: GitState): GitStep {
  const can = (step: keyof GitState["obstacles"]): boolean => state.obstacles[step] === undefined;
  if (state.conflict !== null) return "resolve";
  if (state.dirty.files > 0) return can("commit") ? "commit" : "none";
  if (state.pullRequest !== null && (state.pullRequest.state === "open" || state.pullRequest.state === "draft")) {
    if ((state.behind ?? 0) > 0 && can("update")) return "update";
    return state.remote !== null && state.remote.pushed !== state.head && can("push") ? "push" : "none";
  }
  if (state.landing !== null && state.ahead === 0) return "none";
  if ((state.ahead ?? 0) === 0) return "none";
  if ((state.behind ?? 0) > 0 && can("update")) return "update";
  if (can("land")) return "land";
  return can("pull-request") ? "pull-request" : "none";
}
