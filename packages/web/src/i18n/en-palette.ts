import { createPlural } from "./plural.ts";
import type { Texts } from "./texts.ts";

const plural = createPlural("en");

/** Search, commands and the list of keys. */
export const paletteEn = {
  shell: {
    palette: {
      placeholder: "Search, or type a command",
      results: "Results",
      groups: { commands: "Commands", tasks: "Tasks", messages: "Messages", tools: "Tool output", files: "Files" },
      nothing: "No results. Try fewer or different words.",
      failed: "The search failed. Check that the server is running.",
      count: (count: number) => plural(count, { one: "# result", other: "# results" }),
      copyPath: "Copy path",
      pathCopied: (path: string) => `Copied ${path}`,
      commands: {
        inbox: "Go to the inbox",
        settings: "Go to the settings",
        addAgent: "Add agent",
        usage: "Show tokens and costs",
        git: {
          commit: "Commit changes",
          update: "Update: rebase onto base branch",
          merge: "Update: merge base branch",
          land: "Land on base branch",
          push: "Push branch",
          "pull-request": "Open or edit pull request",
        },
        project: (name: string) => `Switch to ${name}`,
        theme: (name: string) => `Theme: ${name}`,
        language: (name: string) => `Language: ${name}`,
      },
    },
  },
  shortcuts: {
    title: "Keyboard shortcuts",
    general: "Everywhere",
    board: "Board",
    task: "Task",
    help: "This list",
    newTask: "New task",
    goBoard: "Go to the board",
    move: "Move between cards",
    moveCard: "Move the card to another column",
    reorder: "Move the card up or down",
    open: "Open the task",
    focusComposer: "Write a message",
    send: "Send",
    newline: "New line",
    stop: "Stop the agent",
    newAttempt: "New attempt",
    toggleCard: "Open or close a tool card",
    sendNow: "Send now, while the agent works",
    filter: "Filter tasks",
    toggleView: "Board or list",
    select: "Select (Shift for a range)",
    archive: "Archive or unarchive",
    start: "Start the task",
    setStatus: "Set the status",
    deleteTask: "Delete",
    undo: "Undo the last change",
    search: "Search and commands",
    goInbox: "Go to the inbox",
    goAutomations: "Go to the automations",
    goSettings: "Go to the settings",
    inbox: "Inbox",
    allow: "Allow",
    allowAlways: "Always allow",
    deny: "Deny, with a reason",
    nextEntry: "Next and previous",
    sendFeedback: "Send a pull request’s feedback to the agent",
    dismiss: "Dismiss finished or failed work, or feedback",
    answer: "Allow or deny the pending request (D does not open Changes then)",
  },
};

export type PaletteText = Texts<typeof paletteEn>;
