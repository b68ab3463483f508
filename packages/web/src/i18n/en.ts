import type { CodedText } from "@skein/contracts";
import { formatToolSummary } from "@skein/engine";
import { faultsEn } from "./en-faults.ts";
import { createPlural } from "./plural.ts";
import type { Texts } from "./texts.ts";

const plural = createPlural("en");

/**
 * The texts of the first load: what the app, the board and the pages without a project show. Texts of other pages are loaded with them
 * (`createTexts`, `createPageTexts`). The dictionary that the others must match: a key that is missing there does not compile.
 */
export const en = {
  /** A text of the server, from its code; `english`, which the server sends with it, where there is no code, or one of a newer server. */
  coded: (_text: CodedText | undefined, english: string): string => english,
  app: {
    name: "Skein",
    skipToContent: "Skip to content",
    openMenu: "Open menu",
    closeMenu: "Close menu",
    navigation: "Navigation",
    language: "Language",
    theme: "Theme",
    themeLight: "Light",
    themeDark: "Dark",
    themeSystem: "System",
    preferences: "Preferences",
    shortcuts: "Keyboard shortcuts",
    signOut: "Sign out",
    signOutEverywhere: "Sign out everywhere",
    cancel: "Cancel",
    close: "Close",
    save: "Save",
    retry: "Try again",
    copy: "Copy",
    copied: "Copied",
    copyCommand: "Copy command",
    more: "More actions",
    notFoundTitle: "Page not found",
    notFoundText: "The link may be outdated, or the item was deleted.",
    backHome: "Go to the board",
    failedTitle: "This page could not be shown",
    undo: "Undo",
    /** A name and what it is. */
    labelled: (name: string, value: string) => `${name}: ${value}`,
  },
  faults: faultsEn,
  connection: {
    live: "Live",
    connecting: "Connecting…",
    reconnecting: "Reconnecting…",
    offline: "Offline",
    reconnectingBanner: "The connection to the server was lost. Reconnecting… No data is lost, and running agents keep working.",
    offlineBanner: "The server is not responding. Start it with npm start; this page reconnects automatically.",
  },
  team: {
    by: (name: string) => `by ${name}`,
    readOnly: "You can read this project but not change it: you are a viewer. An owner of the project can give you another role.",
    noProjectTitle: "No projects yet",
    noProject:
      "You are not a member of any project. Ask an administrator or the owner of a project to add you; the project then appears here.",
  },
  signedOut: {
    title: "This browser is not signed in",
    text: "A single-use link signs a browser in, so that no other page or user of this machine can.",
    linkTitle: "This link no longer works",
    linkText: "A link signs one browser in, once, within ten minutes.",
    how: "To get a new link, run this in the Skein folder:",
    again: "It also works while Skein is running. If the skein command is installed, skein open does the same.",
  },
  projects: {
    switch: "Switch project",
    all: "Projects",
    add: "Add project",
    pathLabel: "Path of a git repository",
    pathPlaceholder: "~/code/my-project",
    start: "Get started",
    welcomeTitle: "Welcome to Skein",
    welcomeText: "Give a task to a coding agent, watch it work, and keep everything it did.",
    whatHappens: "What happens",
    step1: "Skein only reads the repository: it changes nothing in it and runs nothing from it.",
    step2: "Each attempt at a task works in its own git worktree, so your checkout stays as it is.",
    step3: "Everything stays on this machine, except what the agent you choose sends to its model.",
    settings: "Project settings",
  },
  board: {
    title: "Board",
    newTask: "New task",
    quickAddLabel: "Title of the new task",
    quickAddPlaceholder: "What should be done?",
    quickAddHint: "Enter adds it, Esc closes",
    quickAddIn: (column: string) => `Add a task to ${column}`,
    emptyTitle: "No tasks yet",
    emptyText: "A task is one thing you want done, in your own words. It starts when you press Enter.",
    status: "Status",
    taskActions: (title: string) => `Actions for ${title}`,
    count: (count: number) => plural(count, { one: "# task", other: "# tasks" }),
    moved: (title: string, column: string) => `${title}: moved to ${column}`,
    running: "Running",
    held: "Waiting to start",
    waiting: "Waiting for you",
    /** `what`: the command, file or address that the agent asks about. */
    waitingFor: (what: string) => `Waiting: ${what}`,
    filter: "Filter tasks",
    noMatch: "No tasks match this filter.",
    failed: "Failed",
    interrupted: "Interrupted",
    finished: "Finished",
    attempts: (count: number) => plural(count, { one: "# attempt", other: "# attempts" }),
    pullRequest: {
      state: {
        open: (number: number) => `PR #${number}`,
        draft: (number: number) => `Draft PR #${number}`,
        merged: (number: number) => `Merged #${number}`,
        closed: (number: number) => `Closed #${number}`,
      },
      checks: { failure: "checks failed", pending: "checks running", success: "checks passed" },
    },
    since: {
      idle: (time: string) => `Created ${time}`,
      running: (time: string) => `Running since ${time}`,
      held: (time: string) => `Waiting since ${time}`,
      waiting: (time: string) => `Waiting since ${time}`,
      failed: (time: string) => `Failed ${time}`,
      interrupted: (time: string) => `Interrupted ${time}`,
      paused: (time: string) => `Stopped ${time}`,
      finished: (time: string) => `Finished ${time}`,
    },
    selected: "Selected:",
    select: (title: string) => `Select ${title}`,
    selectTask: "Select",
    selectAll: "Select all",
    selection: "Selected tasks",
    selectedCount: (count: number) => plural(count, { one: "# selected", other: "# selected" }),
    clearSelection: "Clear the selection",
    move: "Move",
    moveTo: "Move to",
    tag: "Tag",
    addTag: "Add a tag",
    tagged: (what: string, tag: string) => `${what}: tagged ${tag}`,
    prioritySet: (what: string, priority: string) => `${what}: ${priority}`,
    archive: "Archive",
    unarchive: "Unarchive",
    archived: "Archived",
    archivedToast: (what: string) => `${what}: archived`,
    unarchivedToast: (what: string) => `${what}: back on the board`,
    reordered: (what: string, place: number) => `${what}: moved to position ${place}`,
    deleteSelected: (count: number) => plural(count, { one: "Delete # task", other: "Delete # tasks" }),
    keptBranches: (names: string) => `Kept (has commits that exist nowhere else): ${names}`,
    deleteTitle: (count: number) => plural(count, { one: "Delete this task?", other: "Delete # tasks?" }),
    filterBy: (count: number) => (count === 0 ? "Filter" : `Filter (${count})`),
    activeFilters: "Active filters",
    clearFilters: "Clear filters",
    removeFilter: (filter: string) => `Remove filter: ${filter}`,
    hidden: "Hidden tasks",
    showArchived: "Show archived",
    showList: "Show as a list (V)",
    showBoard: "Show as a board (V)",
    emptyFiltered: "No tasks match the filter",
    keys: "Arrow keys or H J K L move between tasks, Shift and an arrow key moves the task, X selects, E archives, 1 to 5 sets the status.",
    teach: {
      todo: "What you want done. Press C to write it down.",
      "in-progress": "A task comes here when an agent starts on it.",
      "in-review": "When the agent is done, you look at its work here.",
      done: "What you have accepted.",
      cancelled: "What you decided against.",
    },
    /** Of the first column, on a device without keys. */
    teachByTouch: "What you want done. Tap “New task” to write it down.",
    columns: { title: "Title", status: "Status", priority: "Priority", updated: "Changed", created: "Created" },
  },
  status: {
    todo: "To do",
    "in-progress": "In progress",
    "in-review": "In review",
    done: "Done",
    cancelled: "Cancelled",
  },
  priority: { none: "No priority", low: "Low", medium: "Medium", high: "High", urgent: "Urgent", label: "Priority" },
  task: {
    tags: "Tags",
    delete: "Delete task",
  },
  attempt: {
    agent: "Agent",
  },
  queue: {
    title: (count: number) => plural(count, { one: "# message queued", other: "# messages queued" }),
  },
  tool: {
    summary: formatToolSummary,
    files: (count: number) => plural(count, { one: "# file", other: "# files" }),
    added: (count: number) => plural(count, { one: "# line added", other: "# lines added" }),
    removed: (count: number) => plural(count, { one: "# line removed", other: "# lines removed" }),
  },
  flow: {
    queue: {
      pausedCount: (count: number) => plural(count, { one: "# message paused", other: "# messages paused" }),
    },
  },
  shell: {
    palette: {
      title: "Search and commands",
      open: "Search",
      commands: { importSessions: "Import sessions of other programs" },
    },
    inbox: {
      title: "Inbox",
      /** The number in the sidebar, for screen readers. */
      badge: (count: number) => plural(count, { one: "# item needs your attention", other: "# items need your attention" }),
    },
    sidebar: {
      tasks: "Tasks",
      active: "Running and waiting",
      more: (count: number) => plural(count, { one: "# more", other: "# more" }),
    },
    settings: {
      title: "Settings",
    },
    usage: {
      title: "Usage",
    },
    notify: {
      done: "Done",
      failed: "Failed",
      waiting: "Waiting for your answer",
      feedback: "Pull request has feedback",
      test: "This is a test notification",
    },
  },
  start: {
    started: (title: string) => `Started: ${title}`,
    open: "Open",
    start: "Start",
    startTask: (title: string) => `Start: ${title}`,
    repository: {
      found: "Repositories on this machine",
      folders: "Folders",
      isRepository: "git repository",
      hint: "Choose from the list, or type a path. Tab completes it.",
      hintByTouch: "Choose from the list, or type a path.",
      searching: "Looking for repositories…",
    },
  },
  errors: {
    network: "The server could not be reached. Check that it is running and try again.",
    unknown: "Something went wrong. Try again; if it happens again, check the server log.",
    /** `what` names the route or event and the field. */
    unreadable: (what: string) => `This page cannot read what the server sent (${what}). Reload the page.`,
    reload: "Reload",
  },
};

export type Dictionary = Texts<typeof en>;
