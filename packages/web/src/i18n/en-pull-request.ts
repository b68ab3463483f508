import { createPlural } from "./plural.ts";

const plural = createPlural("en");
const checks = (count: number) => plural(count, { one: "# failing check", other: "# failing checks" });
const comments = (count: number) => plural(count, { one: "# comment", other: "# comments" });

/** Texts of pull requests. Loaded with the git bar. */
export const pullRequestEn = {
  label: "Pull request",
  /** Link to its page. */
  page: (number: number, host: string) => `#${number} on ${host}`,
  states: { open: "Open", draft: "Draft", merged: "Merged", closed: "Closed" },
  checks: {
    failure: (failed: number, total: number) => `${failed} of ${plural(total, { one: "# check", other: "# checks" })} failed`,
    pending: (done: number, total: number) => `Checks: ${done} of ${total} done`,
    success: (total: number) => plural(total, { one: "# check passed", other: "# checks passed" }),
  },
  review: { approved: "Approved", "changes-requested": "Changes requested" },
  conflict: (base: string) => `Conflicts with ${base}`,
  send: (failed: number, written: number) =>
    `Send ${[...(failed > 0 ? [checks(failed)] : []), ...(written > 0 ? [comments(written)] : [])].join(" and ")} to the agent`,
  sent: "Sent to the agent",
  queued: "The agent is working. It gets the message next",
  checkNow: "Check now",
  push: "Update pull request",
  pushed: (number: number) => `Pushed to #${number}`,
  actions: { open: "Open pull request…", edit: "Edit pull request…" },
  dialog: {
    openTitle: "Open pull request",
    editTitle: (number: number) => `Edit pull request #${number}`,
    what: (target: { head: string; base: string; repository: string; host: string }) =>
      `Pushes ${target.head} to ${target.repository} on ${target.host}, and asks to merge it into ${target.base}.`,
    whatUpdate: (number: number) => `Pushes new commits and updates #${number}.`,
    uncommitted: (count: number) =>
      plural(count, {
        one: "# file is not committed and will not be part of it.",
        other: "# files are not committed and will not be part of it.",
      }),
    title: "Title",
    body: "Description",
    base: "Merge into",
    draft: "Draft",
    draftHint: "Not ready for review yet.",
    submitOpen: "Open pull request",
    submitEdit: "Update",
    created: (number: number) => `Opened pull request #${number}`,
    updated: (number: number) => `Updated pull request #${number}`,
    show: "Show",
    noRemote: "The repository has no remote. Add one first: git remote add origin <address>",
    noToken: (host: string) => `There is no token for ${host}. Sign in with its command line tool, or add a token here.`,
    variable: (name: string) => `Skein also reads the environment variable ${name} at its start.`,
    token: "Token",
    tokenHint: "It is stored in a file that only you can read, is sent to this host only, and is never shown again.",
    saveToken: "Save token",
    unknown: (host: string) =>
      `Skein does not know which forge runs on ${host}. You can push the branch and open the pull request on its page, or choose the kind and add a token.`,
    kind: "Kind of forge",
    kinds: { github: "GitHub", gitlab: "GitLab", gitea: "Gitea or Forgejo" },
    pushOnly: "Push only",
    openPage: "Open page",
    pushedOnly: "Pushed the branch",
  },
  settings: {
    text: "Tokens for pull requests. A token is stored in a file that only you can read, is sent to its host only, and is never shown again. Without one, Skein uses the login of gh or glab.",
    tokenFor: (host: string) => `Token for ${host}`,
    placeholder: "Paste the token",
    replace: "Paste a new token to replace it",
    fromEnvironment: "From the environment",
    remove: (host: string) => `Remove the token for ${host}`,
    removed: (host: string) => `Removed the token for ${host}`,
    saved: (host: string) => `Saved the token for ${host}`,
    add: "Add a host",
    host: "Host",
    rounds: "Automatic rounds of feedback",
    roundsEffect:
      "How often failing checks and members' comments of a pull request are sent to the agent without being asked; its fix is committed and pushed. 0: never.",
  },
};
export type PullRequestText = typeof pullRequestEn;
