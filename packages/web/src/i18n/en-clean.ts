import type { CleanItem, CleanKind, KeptReason } from "@skein/contracts";
import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** Cleaning up, in Settings → Storage. */
export const cleanEn = {
  title: "Clean up",
  about:
    "Shows what can be removed without losing work, and removes what you choose. Uncommitted changes and commits that the base branch does not have are always kept.",
  unusedFor: "Not used for",
  anyTime: "Any time",
  days: (days: number) => plural(days, { one: "# day", other: "# days" }),
  show: "Show what can be removed",
  looking: "Looking…",
  nothing: "There is nothing to remove.",
  kinds: {
    worktree: "Worktrees",
    "sandbox-home": "Home folders of sandboxes",
    "execution-log": "Logs",
    process: "Processes that agents left",
  } satisfies Record<CleanKind, string>,
  attempt: (title: string, number: number) => `${title} · attempt ${number}`,
  describe(item: CleanItem): string {
    switch (item.kind) {
      case "worktree":
        return item.because === "landed"
          ? `Landed. The branch ${item.branch} stays; ignored files, such as dependencies, do not.`
          : `Its base branch has everything. The branch ${item.branch} stays; ignored files, such as dependencies, do not.`;
      case "sandbox-home":
        return "Caches. Its agent starts a new session from the transcript.";
      case "execution-log":
        return plural(item.executionIds.length, {
          one: "# log, whose messages are all stored",
          other: "# logs, whose messages are all stored",
        });
      case "process":
        return `Still running after the end: ${item.processes.map(({ pid, name }) => `${name} (${pid})`).join(", ")}`;
    }
  },
  unused: (age: string) => `not used for ${age}`,
  unknownSize: "size not known",
  chosen: (count: number, size: string) => `${plural(count, { one: "# chosen", other: "# chosen" })}, at least ${size}`,
  remove: "Remove",
  removing: (done: number, total: number) => `Removing: ${done} of ${total}`,
  done: (count: number, size: string) => `${plural(count, { one: "# item was removed", other: "# items were removed" })}, ${size}.`,
  keptAfterAll: (count: number) =>
    plural(count, { one: "# item was kept: it had changed, or is needed.", other: "# items were kept: they had changed, or are needed." }),
  failed: (detail: string) => `One could not be removed: ${detail}`,
  kept: (count: number) => plural(count, { one: "Kept: # item", other: "Kept: # items" }),
  why(reason: KeptReason): string {
    switch (reason.code) {
      case "uncommitted":
        return plural(reason.files, { one: "# uncommitted file", other: "# uncommitted files" });
      case "unmerged":
        return plural(reason.commits, {
          one: "# commit that its base branch does not have",
          other: "# commits that its base branch does not have",
        });
      case "no-base":
        return "Its base branch is gone: what is merged is not known.";
      case "in-conflict":
        return "An update with conflicts is in progress.";
      case "other-branch":
        return "Another branch is checked out in it.";
      case "submodules":
        return "It has submodules, which may contain work.";
      case "in-use":
        return "An agent works in it, or messages wait.";
      case "unreachable":
        return "Its worker is not connected.";
      case "unreadable":
        return `Git cannot read it: ${reason.detail}`;
      case "not-stored":
        return "Not all of it is in the database.";
      case "changed":
        return "It has changed since the list was made.";
    }
  },
  retention: "By itself",
  aboutRetention: "What the server removes once a day, by the same rules, after this many days without use. 0: never.",
  retentionFields: {
    worktreeDays: "Worktrees of done and archived tasks, in days",
    sandboxHomeDays: "Home folders of sandboxes, in days",
    executionLogDays: "Logs, in days",
  },
  saved: "Saved",
  use: "By attempt",
  measure: "Measure attempts",
  noUse: "No attempt has anything on disk.",
  columns: { attempt: "Attempt", worktree: "Worktree", logs: "Logs and outputs", home: "Sandbox", total: "Total" },
  more: (count: number) => plural(count, { one: "# smaller one is not shown.", other: "# smaller ones are not shown." }),
  missing: (count: number) =>
    plural(count, {
      one: "# worker is not connected: its folders are missing here.",
      other: "# workers are not connected: their folders are missing here.",
    }),
};
export type CleanText = typeof cleanEn;
