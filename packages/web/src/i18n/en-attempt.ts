import { createPlural } from "./plural.ts";
import type { Texts } from "./texts.ts";

const plural = createPlural("en");

/** A task and its attempts. */
export const attemptEn = {
  task: {
    details: "Details",
    tagsHint: "Tags, separated by commas",
    editTitle: "Edit title",
    description: "Description",
    addDescription: "Add a description…",
    deleteTitle: "Delete this task?",
    deleteText: "Its attempts, conversations and worktrees are deleted. Merged work is kept.",
    changes: "Changes",
    attempts: "Attempts",
    noAttemptTitle: "Nothing has run yet",
    noAttemptText: (agent: string) => `Write what should be done and press Enter. It starts with ${agent}, in its own worktree.`,
    noMessagesTitle: "Ready when you are",
    noMessagesText: "Write what should be done and press Enter.",
    useDescription: "Use the task as the message",
    backToBoard: "Back to the board",
    notActive: "You are looking at an earlier attempt. Messages go to the active one.",
    activate: "Make active",
  },
  attempt: {
    new: "New attempt",
    newTitle: "New attempt",
    newText: "A fresh start on this task, with its own agent and conversation. It starts at once. Earlier attempts are kept.",
    model: "Model",
    defaultModel: "The agent's default",
    isolation: "Where it works",
    worktree: "Its own worktree",
    worktreeHint: "A separate checkout on a new branch. Your files are not touched.",
    inPlace: "In place",
    inPlaceHint: "Directly in the project's folder, on the branch that is checked out.",
    baseBranch: "Base branch",
    session: {
      title: (agent: string) => `Continue an existing session of ${agent} (optional)`,
      label: "Session",
      startNew: "New session",
      none: "There are no sessions in the project's folder.",
      inPlace: "A session belongs to its folder: this attempt works in the project's folder.",
    },
    otherModels: "More models, and how to get them",
    permissionMode: "Permissions",
    ask: "Ask before acting",
    askHint: "Every edit and command waits for your answer.",
    acceptEdits: "Accept edits",
    acceptEditsHint: "Edits run without asking. Commands ask first.",
    full: "Full access",
    fullHint: "Runs without asking. Best in a worktree.",
    confined: {
      label: "Sandbox",
      off: "No sandbox",
      workspace: "In a sandbox",
      asSet: "As in the settings",
      workspaceHint: "The operating system keeps the agent in its folder. It reaches only its provider and addresses that you allow.",
    },
    sandbox: {
      ask: "Every edit and command waits for your answer, and then runs in the agent's own sandbox.",
      "accept-edits":
        "Edits and commands run in the agent's own sandbox without asking: only this folder, no network. It asks to leave it.",
      full: "Runs without asking and without a sandbox. Best in a worktree.",
    },
    ifItAsks: {
      ask: "You answer whatever this agent asks. Whether it asks before acting is up to the agent; if it does not, the conversation shows it.",
      "accept-edits":
        "Edits that this agent asks about are allowed automatically; commands wait for you. Whether it asks is up to the agent.",
      full: "Runs without asking. Best in a worktree.",
    },
    neverAsks: "This agent cannot ask: it works with full access in every mode.",
    create: "Start attempt",
    unavailable: "Not available",
    label: (number: number) => `Attempt ${number}`,
    active: "Active",
    running: "Running",
    delete: "Delete attempt",
    deleteTitle: (number: number) => `Delete attempt ${number}?`,
    deleteText: "Its conversation and its worktree are deleted, with changes that were not merged.",
    branch: "Branch",
    directory: "Folder",
    settings: "Attempt settings",
    fromNext: "Applies from the next message",
    worker: {
      /** `since`: when the worker was last connected; null where it never was. */
      offline: (name: string, since: string | null) =>
        `${name} is offline${since === null ? "" : ` since ${since}`}. What its agent does meanwhile is kept there, and arrives when it is back.`,
      draining: (name: string) => `Waiting for ${name}, which is draining: it starts no agents until it is activated again.`,
      busy: (name: string, capacity: number) =>
        `Waiting for ${name}: it is busy with ${plural(capacity, { one: "# agent", other: "# agents" })}, as many as it may run.`,
      show: "Workers",
      removed: "Removed worker",
      moveHint: "Move to · with its branch and uncommitted files",
      moving: (name: string) => `Moving to ${name}…`,
    },
    contextUse: (used: string, whole: string) => `${used} of ${whole}`,
    contextLabel: "Context used",
    compactHint: "Nearly full: send /compact to summarize what came before.",
  },
};

export type AttemptText = Texts<typeof attemptEn>;
