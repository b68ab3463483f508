import { createPlural } from "./plural.ts";

const plural = createPlural("en");
const commits = (count: number) => plural(count, { one: "# commit", other: "# commits" });
const files = (count: number) => plural(count, { one: "# file", other: "# files" });

const newCommits = (count: number) => plural(count, { one: "# new commit", other: "# new commits" });
const upToDate = (base: string) => `Already up to date with ${base}`;

interface UpdateCounts {
  base: string;
  ahead: number;
  behind: number;
}

/** Texts of the git bar, loaded with it. */
export const gitEn = {
  label: "Branch of the attempt",
  loading: "Reading the branch…",
  more: "Git actions",
  noBranch: "no branch",
  /** For screen readers, between the branch and its base. */
  basedOn: "based on",
  facts: {
    conflict: (open: number, total: number) => (open === 0 ? "Conflicts resolved" : `In conflict: ${open} of ${files(total)}`),
    landed: (branch: string) => `Landed on ${branch}`,
    baseGone: "the base branch is gone",
    ahead: (count: number) => `${count} ahead`,
    behind: (count: number) => `${count} behind`,
    uncommitted: (count: number) => `${count} uncommitted`,
    clean: "no changes",
  },
  /** As a button, where there is little room. */
  buttons: { commit: "Commit…", update: "Update", resolve: "Resolve…", land: "Land…", push: "Push" },
  actions: {
    commit: "Commit…",
    resolve: "Resolve conflicts…",
    land: "Land…",
    push: "Push the branch",
    "undo-land": "Undo the landing",
    "safety-copies": "Safety copies…",
  },
  baseMoved: (branch: string) => `${branch} has moved since the landing.`,
  commit: {
    title: "Commit changes",
    message: "Message",
    files: "Files",
    all: "All files",
    chosen: (count: number, total: number) => `${count} of ${files(total)}`,
    file: (path: string) => `Commit ${path}`,
    truncated: "The change is too large to list all of its files. With every box checked, all of them are committed.",
    submit: "Commit",
    done: (count: number) => `Committed ${files(count)}`,
  },
  update: {
    upToDate,
    /** In the menu. */
    update: (base: string) => `Rebase onto ${base}`,
    merge: (base: string) => `Merge ${base} into this branch`,
    hints: {
      update: ({ base, ahead, behind }: UpdateCounts) => {
        if (behind === 0) return upToDate(base);
        if (ahead === 0) return `Moves this branch to ${base}, which has ${newCommits(behind)}.`;
        const onTop = `again on top of ${newCommits(behind)} of ${base}`;
        return plural(ahead, {
          one: `Applies this branch's commit ${onTop}. Its id changes.`,
          other: `Applies this branch's # commits ${onTop}. Their ids change.`,
        });
      },
      merge: ({ base, behind }: UpdateCounts) =>
        behind === 0 ? upToDate(base) : `Adds a merge commit with ${newCommits(behind)} of ${base}. Your commits keep their ids.`,
    },
    done: {
      rebase: (base: string) => `Rebased onto ${base}`,
      merge: (base: string) => `Merged ${base} into this branch`,
    },
    finished: "The update is finished",
    aborted: "The update was aborted. The files are as they were before it",
  },
  land: {
    title: (branch: string) => `Land on ${branch}`,
    what: (count: number, branch: string) => `Lands ${commits(count)} of ${branch} and marks the task as done. You can undo this.`,
    method: "Method",
    methods: { squash: "Squash", merge: "Merge", "fast-forward": "Fast-forward" },
    hints: {
      squash: "One new commit with all changes.",
      merge: "All commits, and a merge commit.",
      "fast-forward": "All commits as they are, without a new one.",
    },
    notFastForward: (branch: string) => `Fast-forward is not possible: ${branch} has commits that the attempt does not have.`,
    message: "Commit message",
    messageHint: "Empty: the task's title and the commits.",
    checkout: (branch: string) => `Your checkout has ${branch} checked out: its files change, too.`,
    noCheckout: (branch: string) => `Your checkout stays as it is: ${branch} is not checked out there.`,
    submit: "Land",
    done: (branch: string) => `Landed on ${branch}`,
    undone: (branch: string) => `The landing on ${branch} was undone`,
  },
  push: {
    done: (branch: string, remote: string) => `Pushed ${branch} to ${remote}`,
    open: "Open pull request",
  },
  conflict: {
    title: "Resolve conflicts",
    rebase: (base: string) => `The attempt's commits are being applied to ${base}.`,
    merge: (base: string) => `${base} is being merged into the attempt.`,
    applying: (subject: string, left: number) => (left === 0 ? `Commit: ${subject}` : `Commit: ${subject} (${left} more after it)`),
    kinds: {
      "both-changed": "changed on both sides",
      "both-added": "added on both sides",
      "deleted-by-us": "deleted by ours, changed by theirs",
      "deleted-by-them": "changed by ours, deleted by theirs",
      other: "conflicting",
    },
    resolved: "Resolved",
    open: "Not resolved",
    ours: (owner: string) => `Use ours (${owner})`,
    theirs: (owner: string) => `Use theirs (${owner})`,
    attempt: "this attempt",
    mark: "Mark as resolved",
    /** A button of a file, for screen readers. */
    ofFile: (action: string, path: string) => `${action}: ${path}`,
    sides: { base: "Before both", ours: "Ours", theirs: "Theirs" },
    shownSide: "Side",
    show: (path: string) => `Show the sides of ${path}`,
    deleteAs: { ours: (owner: string) => `Delete as ours (${owner})`, theirs: (owner: string) => `Delete as theirs (${owner})` },
    kindsOfSide: {
      none: "No such file on this side.",
      binary: "Binary file.",
      large: "The text is too large to show.",
      special: "A symbolic link or a submodule.",
    },
    /** The field with the file as it is in the folder. */
    resultTitle: "Result, in the attempt's folder",
    result: (path: string) => `Result: ${path}`,
    notEditable: {
      binary: "A binary file cannot be edited here. Take one side, or replace it in the attempt's folder and mark it as resolved.",
      large: "The text is too large to edit here. Take one side, let the agent resolve it, or edit it in the attempt's folder.",
      special: "A symbolic link or a submodule cannot be edited here. Take one side.",
    },
    mixedLineEnds: "The text has mixed line endings, which a browser would change. Take one side, or edit it in the attempt's folder.",
    marked: (at: number, total: number) => `Conflict ${at} of ${total}`,
    previousMark: "Previous",
    nextMark: "Next",
    takeMarked: { ours: "Ours", theirs: "Theirs", both: "Both" },
    stillMarked: (count: number) =>
      plural(count, { one: "# conflict is still marked in the text.", other: "# conflicts are still marked in the text." }),
    stale: "The file in the folder has changed since you began to edit.",
    reload: "Discard my text and show the file",
    revert: "Revert",
    save: "Save as resolved",
    agentWorking: "The agent is working in this folder. You can resolve conflicts when it has ended.",
    agent: "Let the agent resolve",
    agentAsked: "The agent was asked to resolve the conflicts",
    finish: "Finish",
    abort: "Abort update",
    next: "The next commit also has conflicts.",
    none: "There are no more conflicts.",
  },
  safety: {
    title: "Safety copies",
    text: "Files as they were before a step that changed or removed them. Each is kept for 30 days.",
    before: {
      discard: "Before discarding changes",
      restore: "Before a restore",
      update: "Before an update",
      land: "Before landing",
      resolve: "Before resolving a conflict",
      abort: "Before an update was aborted",
    },
    restore: "Restore",
    restoreOne: (what: string, when: string) => `Restore: ${what}, ${when}`,
    done: (count: number) => `Restored ${files(count)}`,
    same: "The files are as they were then",
  },
};
export type GitText = typeof gitEn;
