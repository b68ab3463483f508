import { createPlural } from "./plural.ts";

const plural = createPlural("en");

const lines = (start: number, end: number) => (start === end ? `line ${start}` : `lines ${start}–${end}`);

/** Texts of a review, loaded with the changes that are reviewed. */
export const reviewEn = {
  title: "Review",
  /** `isOld`: before the change. */
  commentOn: (start: number, end: number, isOld: boolean) => `Comment on ${lines(start, end)}${isOld ? " before the change" : ""}`,
  commentOnFile: "Comment on the file",
  commentOnAttempt: "Comment on the whole attempt",
  lines: (start: number, end: number, isOld: boolean) =>
    `${start === end ? `Line ${start}` : `Lines ${start}–${end}`}${isOld ? ", before the change" : ""}`,
  wholeFile: "File",
  wholeAttempt: "Whole attempt",
  placeholder: "What should change here?",
  keys: "Ctrl/⌘+Enter saves. Shift+click another line’s + to extend the range.",
  save: "Add comment",
  update: "Save comment",
  state: { draft: "Draft", sent: "Sent", resolved: "Resolved" },
  outdated: "Outdated",
  edit: "Edit",
  remove: "Delete",
  resolve: "Resolve",
  reopen: "Reopen",
  removed: "Comment deleted.",
  removedSent: "Comment deleted. The agent has already received it.",
  otherComments: "Comments on the whole attempt and on files that are no longer in the diff",
  send: (drafts: number) => `Send review (${drafts})`,
  firstLine: "First line of the message (optional)",
  sent: (drafts: number) => plural(drafts, { one: "Review sent with # comment.", other: "Review sent with # comments." }),
  hidden: (count: number) => plural(count, { one: "One more commented line further down.", other: "# more commented lines further down." }),
  progress: (viewed: number, total: number) => `${viewed} of ${total} viewed`,
  viewed: "Viewed",
  fileActions: (path: string) => `Actions for ${path}`,
  discard: "Discard changes",
  discarded: (path: string) => `Changes to ${path} discarded.`,
  discardHunk: "Discard hunk",
  discardHunkAt: (line: number) => `Discard hunk at line ${line}`,
  hunkDiscarded: (path: string) => `Hunk of ${path} discarded.`,
};
export type ReviewText = typeof reviewEn;
