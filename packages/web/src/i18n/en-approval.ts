import { formatApprovalAsk } from "./en-approval-ask.ts";
import { createPlural } from "./plural.ts";
import type { Texts } from "./texts.ts";

const plural = createPlural("en");

/** What an agent asks, and what is always allowed. */
export const approvalEn = {
  approval: {
    /** “Run npm test?” */
    ask: formatApprovalAsk,
    tool: "Tool",
    allow: "Allow",
    always: (what: string) => `Always allow in this project: ${what}`,
    deny: "Deny",
    reason: "Reason, for the agent (optional)",
    reasonPlaceholder: "Tell the agent what to do instead",
    tampered: {
      "answer-refused":
        "Tampered: a process of a running agent tried to answer this in your place. Its answer was rejected. Deny it, or stop the agent, unless you know why.",
      "ran-unanswered":
        "Tampered: the agent used this tool although nobody had answered in Skein. Stop the agent and check what it did; denying only closes this question.",
    },
    hidden: (count: number, which: string) =>
      plural(count, {
        one: `Contains # invisible character (${which}). It is marked.`,
        other: `Contains # invisible characters (${which}). They are marked.`,
      }),
    blankLines: (count: number) => plural(count, { one: "# blank line", other: "# blank lines" }),
    cutCharacters: (characters: string) => `… ${characters} more characters: show all`,
    cutRows: (count: number) => plural(count, { one: "… # more line: show all", other: "… # more lines: show all" }),
    noFinalNewline: "No newline at the end of the file",
    cutFiles: (count: number) => plural(count, { one: "… # more file: show all", other: "… # more files: show all" }),
    change: {
      added: "new file",
      deleted: "deleted",
      movedTo: "moved to",
      unknown: "The agent sent only the name of this file, not what it would change.",
    },
    showAll: "Show all",
    mustRead: "Part of this is hidden. Show all of it and read it before you allow it.",
    alreadyAnswered: "This has already been answered.",
    questionTitle: (count: number) => plural(count, { one: "The agent has a question", other: "The agent has # questions" }),
    chooseMany: "Choose any number",
    formTitle: "The agent asks for input",
    pageTitle: "The agent asks you to open a page",
    pageNote: (host: string) => `It leads to ${host}. Skein does not open it by itself, and does not see what you enter there.`,
    openPage: "Open page",
    pageOpened: "I opened it",
    agree: "Agree",
    optional: "optional",
    yes: "Yes",
    no: "No",
    notANumber: (range: string) => `Enter a number${range}.`,
    notAnInteger: (range: string) => `Enter a whole number${range}.`,
    wrongCount: (range: string) => `Choose a different number of options${range}.`,
    range: (minimum: string | null, maximum: string | null): string =>
      minimum !== null && maximum !== null
        ? ` from ${minimum} to ${maximum}`
        : minimum !== null
          ? `, at least ${minimum}`
          : maximum !== null
            ? `, at most ${maximum}`
            : "",
    other: "Other",
    otherLabel: (question: string) => `Your own answer to: ${question}`,
    otherPlaceholder: "Write your own answer",
    answer: "Answer",
    skip: "Skip",
  },
  /** What a grant allows, in the approval card and in the list of what is always allowed. */
  grants: {
    command: (command: string) => `exactly “${command}”, even after the files it runs have changed`,
    readOnlyCommand: (program: string) => `“${program}” with read-only options, inside the worktree`,
    edits: (tool: string) => `file changes by ${tool} inside the worktree, except protected files`,
    origin: (tool: string, origin: string) => `${tool} for pages of ${origin}`,
    tool: (tool: string) => `every call of ${tool}`,
    anyArguments: (program: string) => `“${program} …” with any arguments`,
    retired: (what: string) => `${what}: allowed in an earlier version, no longer in effect. Skein asks again.`,
  },
};

export type ApprovalText = Texts<typeof approvalEn>;
