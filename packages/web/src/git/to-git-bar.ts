import type { GitConflict, GitObstacle, GitState, Isolation } from "@skein/contracts";
import { chooseGitStep } from "@skein/engine";

/** `update` rebases; `merge` merges the base branch into the attempt instead. */
export type GitAction = "commit" | "update" | "merge" | "resolve" | "land" | "push" | "pull-request" | "undo-land" | "safety-copies";

/** What the line of the bar has, in this order. */
export type GitFact =
  | { kind: "conflict"; open: number; total: number }
  | { kind: "landed"; branch: string; by?: string }
  | { kind: "base-gone" }
  | { kind: "ahead" | "behind" | "uncommitted"; count: number }
  | { kind: "clean" };

export interface GitActionView {
  action: GitAction;
  /** Why it cannot be done now. `base-moved`: the landing is not the newest commit of its branch any more. */
  obstacle?: GitObstacle | { text: { code: "base-moved"; branch: string }; command?: undefined };
}

export interface GitBarView {
  /** Null in place: the branch is the user's own. */
  branches: { own: string | null; base: string | null } | null;
  facts: GitFact[];
  /** The one button; null where nothing is left to do, or nothing can be done now. */
  primary: GitAction | null;
  /** Everything else that the branch allows, in the order of the work. */
  others: GitActionView[];
}

/** What the git bar of an attempt shows. */
export function toGitBar(state: GitState, isolation: Isolation): GitBarView {
  const ownBranch = isolation === "worktree";
  const step = chooseGitStep(state);
  // the line of the pull request has that button
  const isElsewhere = step === "none" || step === "pull-request";
  const primary = isElsewhere || (!ownBranch && step !== "commit") ? null : step;
  return {
    branches: ownBranch ? { own: state.branch, base: state.base.branch } : null,
    facts: listFacts(state, ownBranch),
    primary,
    // the button updates by a rebase: the menu has that again, next to the merge
    others: listActions(state, ownBranch).filter(({ action }) => action !== primary || action === "update"),
  };
}

function listFacts({ conflict, landing, base, ahead, behind, dirty }: GitState, ownBranch: boolean): GitFact[] {
  if (ownBranch && conflict !== null) return [{ kind: "conflict", open: countOpen(conflict), total: conflict.files.length }];
  const facts: GitFact[] = [];
  if (ownBranch && landing !== null)
    facts.push({ kind: "landed", branch: landing.branch, ...(landing.by === undefined ? {} : { by: landing.by.name }) });
  if (ownBranch && base.branch !== null && base.tip === null) facts.push({ kind: "base-gone" });
  if (ownBranch && (ahead ?? 0) > 0) facts.push({ kind: "ahead", count: ahead ?? 0 });
  if (ownBranch && (behind ?? 0) > 0) facts.push({ kind: "behind", count: behind ?? 0 });
  if (dirty.files > 0) facts.push({ kind: "uncommitted", count: dirty.files });
  return facts.length === 0 ? [{ kind: "clean" }] : facts;
}

function listActions(state: GitState, ownBranch: boolean): GitActionView[] {
  const { landing, base, conflict, safetyRefs } = state;
  const operation = (action: "commit" | "update" | "land" | "push"): GitActionView => {
    const obstacle = state.obstacles[action];
    return obstacle === undefined ? { action } : { action, obstacle };
  };
  if (!ownBranch) return [operation("commit")];
  const undo: GitActionView | null =
    landing === null
      ? null
      : landing.commit === base.tip
        ? { action: "undo-land" }
        : { action: "undo-land", obstacle: { text: { code: "base-moved", branch: landing.branch } } };
  return [
    ...(conflict === null ? [] : [{ action: "resolve" as const }]),
    operation("commit"),
    operation("update"),
    { ...operation("update"), action: "merge" },
    operation("land"),
    operation("push"),
    { ...operation("push"), action: "pull-request" },
    ...(undo === null ? [] : [undo]),
    ...(safetyRefs.length === 0 ? [] : [{ action: "safety-copies" as const }]),
  ];
}

/** Why an action that was asked for from elsewhere cannot be started; undefined where it can. */
export function findObstacle(
  state: GitState,
  isolation: Isolation,
  action: "commit" | "update" | "merge" | "land" | "push" | "pull-request",
): GitObstacle | undefined {
  if (isolation === "in-place" && action !== "commit") return { text: { code: "in-place" } };
  return state.obstacles[action === "merge" ? "update" : action === "pull-request" ? "push" : action];
}

export const countOpen = ({ files }: GitConflict): number => files.filter(({ isResolved }) => !isResolved).length;

/** Whose text each side is. A rebase applies the attempt's commits to the base, so that "ours" is the base branch there. */
export function toSideOwners(method: GitConflict["method"]): { ours: "base" | "attempt"; theirs: "base" | "attempt" } {
  return method === "rebase" ? { ours: "base", theirs: "attempt" } : { ours: "attempt", theirs: "base" };
}
