import { createPlural } from "./plural.ts";

const plural = createPlural("en");
const join = (names: readonly string[]) => new Intl.ListFormat("en").format(names);

/** Texts about the repository's hooks, which run with a commit or a push. */
export const gitHooksEn = {
  willRun: (names: readonly string[]) =>
    plural(names.length, { one: `The ${join(names)} hook will run.`, other: `The hooks ${join(names)} will run.` }),
  willNotRun: {
    "not-trusted": "The repository has hooks that you have not trusted. They will not run.",
    changed: "The repository's hooks have changed since you trusted them. They will not run.",
  },
  review: "Review",
  /** After a commit or a push. */
  ran: { commit: "Hooks ran with the commit", push: "Hooks ran with the push" },
  silent: "They printed nothing.",
  didNotRun: {
    "not-trusted": "The repository's hooks did not run: you have not trusted them.",
    changed: "The repository's hooks did not run: they have changed since you trusted them.",
  },
  output: "Output of the hook",
  refused: {
    commit: "Fix the problem and commit again, or let the agent fix it.",
    push: "Fix the problem, commit and push again, or let the agent fix it.",
  },
  ask: "Let the agent fix it",
  asked: "The agent was asked to fix it",
  queued: "The agent will be asked to fix it when it has finished",
  /** The message to the agent; the hook's output follows. */
  message: {
    commit: (hook: string) => `The repository's ${hook} hook refused the commit. Fix what it reports. Do not commit: I do that afterwards.`,
    push: (hook: string) =>
      `The repository's ${hook} hook refused the push. Fix what it reports. Do not commit or push: I do that afterwards.`,
  },
};
export type GitHooksText = typeof gitHooksEn;
