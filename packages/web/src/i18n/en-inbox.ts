import { createPlural } from "./plural.ts";

const plural = createPlural("en");

export const inboxEn = {
  empty: "Nothing needs your attention",
  emptyText: "Agents’ questions, finished work to review, failures and failed checks, from all projects, appear here.",
  toBoard: "Go to the board",
  waiting: (count: number) => plural(count, { one: "# agent waits for your answer", other: "# agents wait for your answers" }),
  toReview: (count: number) => plural(count, { one: "# to review", other: "# to review" }),
  open: "Open the task",
  asked: (when: string) => `asked ${when}`,
  ended: {
    success: { title: "Finished", when: (when: string) => `finished ${when}`, open: "Review" },
    failed: { title: "Failed", when: (when: string) => `failed ${when}`, open: "Open" },
    interrupted: { title: "Interrupted", when: (when: string) => `interrupted ${when}`, open: "Open" },
    cancelled: { title: "Stopped", when: (when: string) => `stopped ${when}`, open: "Open" },
  },
  feedback: {
    count: (count: number) => plural(count, { one: "# pull request with feedback", other: "# pull requests with feedback" }),
    label: (number: number) => `Feedback on pull request #${number}`,
    checks: (number: number, names: readonly string[]) => `Checks of #${number} failed: ${names.join(", ")}`,
    changes: (number: number, reviewers: readonly string[]) => `Changes to #${number} requested by ${reviewers.join(", ")}`,
    send: "Send to the agent",
    open: "Open",
    page: (number: number) => `View #${number}`,
    sent: "Sent to the agent",
    queued: "Queued for the agent",
  },
  noChanges: "No files changed",
  dismiss: "Dismiss",
  dismissed: (title: string) => `Dismissed: ${title}`,
  opened: "Opened and removed from the inbox",
  putBack: "Put back",
  superseded: "This attempt has received another message since, or its feedback is resolved.",
  elsewhere: {
    allow: "Allowed from another window",
    "allow-always": "Always allowed from another window",
    deny: "Denied from another window",
    expired: "No longer needed: its execution has ended",
  },
  keys: {
    label: "Keys",
    move: "next, previous",
    open: "open",
    send: "send to the agent",
    allow: "allow",
    always: "always allow",
    deny: "deny",
    dismiss: "dismiss",
  },
  newText: "New",
  oldText: "Old",
};
