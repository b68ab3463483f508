import type { ToolAction, ToolSummary } from "@skein/contracts";

type FormatSummary = (summary: ToolSummary) => string;

/** The English sentence of a summary: `Read a.ts`, `Found 2 files matching *.ts`, `Running npm test was denied`. */
export function formatToolSummary(summary: ToolSummary): string {
  return formats[summary.action](summary);
}

interface Verbs {
  /** While it runs: `Reading`. */
  running: string;
  /** When it did: `Read`. */
  done: string;
  /** When it did not: `Could not read`. */
  failed: string;
}

function toSentence({ state }: ToolSummary, { running, done, failed }: Verbs, object: string, rest = ""): string {
  switch (state) {
    case "running":
      return `${running} ${object}${rest}`;
    case "completed":
      return `${done} ${object}${rest}`;
    case "failed":
      return `${failed} ${object}${rest}`;
    case "denied":
      return `${running} ${object} was denied${rest}`;
    case "interrupted":
      return `${running} ${object} was interrupted${rest}`;
    case "timed-out":
      return `${running} ${object} timed out${rest}`;
  }
}

/** `missing` is used if the subject is unknown. */
function act(running: string, done: string, failed: string, missing: string): FormatSummary {
  return (summary) => toSentence(summary, { running, done, failed }, summary.subject ?? missing);
}

/** `Used skill pdf`, `Used a skill`. */
function actOn(noun: string, running: string, done: string, failed: string): FormatSummary {
  return (summary) => {
    const object = summary.subject === undefined ? `a ${noun}` : `${noun} ${summary.subject}`;
    return toSentence(summary, { running, done, failed }, object);
  };
}

/** `Updated a.ts`, `Updated 3 files: a.ts, b.ts, c.ts`. */
function actOnFiles(running: string, done: string, failed: string): FormatSummary {
  return (summary) => {
    const { subject, count = 1 } = summary;
    const verbs = { running, done, failed };
    if (count === 1) return toSentence(summary, verbs, subject ?? "a file");
    return toSentence(summary, verbs, `${count} files`, subject === undefined ? "" : `: ${subject}`);
  };
}

/** The suffix after a name or title that stays the same. */
const endings: Readonly<Record<ToolSummary["state"], string>> = {
  running: "",
  completed: "",
  failed: " failed",
  denied: " was denied",
  interrupted: " was interrupted",
  "timed-out": " timed out",
};

/** `Running subagent: look around`, or `missing` if the subject is unknown. */
function label(forms: Readonly<Record<"running" | "completed" | "failed", string>>, name: string, missing: FormatSummary): FormatSummary {
  return (summary) => {
    const { state, subject } = summary;
    if (subject === undefined) return missing(summary);
    const form = state === "running" || state === "completed" || state === "failed" ? forms[state] : `${name}${endings[state]}`;
    return `${form}: ${subject}`;
  };
}

function fixed(sentences: Readonly<Record<ToolSummary["state"], string>>): FormatSummary {
  return ({ state }) => sentences[state];
}

function formatCall({ state, subject }: ToolSummary): string {
  if (state === "running") return `Calling ${subject ?? "a tool"}`;
  if (state === "completed") return `Called ${subject ?? "a tool"}`;
  return `${subject ?? "A tool"}${endings[state]}`;
}

function formatTodoList(running: string, done: string, failed: string): FormatSummary {
  return (summary) => {
    const { count, total = 0, state } = summary;
    const isCounted = count !== undefined && total > 0 && (state === "running" || state === "completed");
    return toSentence(summary, { running, done, failed }, "todo list", isCounted ? ` (${count}/${total} done)` : "");
  };
}

const findFiles: FormatSummary = (summary) => {
  const { subject, count, state } = summary;
  const matching = subject === undefined ? "" : ` matching ${subject}`;
  if (state === "completed" && count !== undefined)
    return `Found ${count === 0 ? "no" : count} ${count === 1 ? "file" : "files"}${matching}`;
  return toSentence(summary, { running: "Looking for", done: "Looked for", failed: "Could not look for" }, `files${matching}`);
};

function search(found: (count: number, subject: string) => string): FormatSummary {
  return (summary) => {
    const { subject, count, state } = summary;
    if (subject === undefined) {
      return toSentence(summary, { running: "Searching", done: "Searched", failed: "Could not search" }, "files");
    }
    if (state === "completed" && count !== undefined) return count === 0 ? `Found no matches for ${subject}` : found(count, subject);
    return toSentence(summary, { running: "Searching for", done: "Searched for", failed: "Could not search for" }, subject);
  };
}

const searchWeb = act("Searching", "Searched", "Could not search", "the web");
const searchWebFor = act("Searching the web for", "Searched the web for", "Could not search the web for", "");
const runSubagent = act("Running", "Ran", "Could not run", "a subagent");
const todo = (running: string, done: string, failed: string) => actOn("todo", running, done, failed);

const formats: Readonly<Record<ToolAction, FormatSummary>> = {
  call: formatCall,
  titled: ({ state, subject = "A tool" }) => `${subject}${endings[state]}`,
  text: ({ subject = "" }) => subject,
  run: act("Running", "Ran", "Ran", "a command"),
  start: (summary) => {
    const { subject = "a command", state } = summary;
    const rest = state === "running" || state === "completed" ? " in the background" : "";
    return toSentence(summary, { running: "Starting", done: "Started", failed: "Could not run" }, subject, rest);
  },
  "read-output": act("Reading output of", "Read output of", "Could not read output of", "a background command"),
  stop: act("Stopping", "Stopped", "Could not stop", "a background command"),
  "list-commands": act("Listing", "Listed", "Could not list", "background commands"),
  read: actOnFiles("Reading", "Read", "Could not read"),
  write: actOnFiles("Writing", "Created", "Could not write"),
  update: actOnFiles("Updating", "Updated", "Could not update"),
  delete: actOnFiles("Deleting", "Deleted", "Could not delete"),
  move: actOnFiles("Moving", "Moved", "Could not move"),
  list: act("Listing", "Listed", "Could not list", "files"),
  "find-files": findFiles,
  search: search((count, subject) => `Found ${count} ${count === 1 ? "match" : "matches"} for ${subject}`),
  "search-files": search((count, subject) => `Found ${subject} in ${count} ${count === 1 ? "file" : "files"}`),
  "search-web": (summary) => (summary.subject === undefined ? searchWeb : searchWebFor)(summary),
  fetch: act("Fetching", "Fetched", "Could not fetch", "a page"),
  remember: act("Remembering", "Remembered", "Could not remember", "a fact"),
  ask: label(
    { running: "Asking", completed: "Asked", failed: "Could not ask" },
    "Question",
    act("Asking", "Asked", "Could not ask", "a question"),
  ),
  "run-subagent": label({ running: "Running subagent", completed: "Ran subagent", failed: "Subagent failed" }, "Subagent", runSubagent),
  "start-subagent": label(
    { running: "Starting subagent", completed: "Started subagent", failed: "Subagent failed" },
    "Subagent",
    act("Starting", "Started", "Could not start", "a subagent"),
  ),
  "use-skill": actOn("skill", "Using", "Used", "Could not use"),
  "update-todos": formatTodoList("Updating", "Updated", "Could not update"),
  "read-todos": formatTodoList("Reading", "Read", "Could not read"),
  "add-todo": label(
    { running: "Adding todo", completed: "Added todo", failed: "Could not add todo" },
    "Adding todo",
    act("Adding", "Added", "Could not add", "a todo"),
  ),
  "update-todo": todo("Updating", "Updated", "Could not update"),
  "start-todo": todo("Starting", "Started", "Could not start"),
  "complete-todo": todo("Completing", "Completed", "Could not complete"),
  "reopen-todo": todo("Reopening", "Reopened", "Could not reopen"),
  "cancel-todo": todo("Cancelling", "Cancelled", "Could not cancel"),
  "delete-todo": todo("Deleting", "Deleted", "Could not delete"),
  "propose-plan": fixed({
    running: "Proposing a plan",
    completed: "Plan approved",
    failed: "Could not propose a plan",
    denied: "Plan was not approved",
    interrupted: "Proposing a plan was interrupted",
    "timed-out": "Proposing a plan timed out",
  }),
  "set-up": fixed({
    running: "Running the setup script",
    completed: "Ran the setup script",
    failed: "The setup script failed",
    denied: "The setup script was denied",
    interrupted: "The setup script was interrupted",
    "timed-out": "The setup script timed out",
  }),
  check: fixed({
    running: "Running the checks",
    completed: "Checks passed",
    failed: "Checks failed",
    denied: "Checks were not run",
    interrupted: "Checks were interrupted",
    "timed-out": "Checks timed out",
  }),
  think: fixed({
    running: "Thinking",
    completed: "Thought",
    failed: "Thinking failed",
    denied: "Thinking was denied",
    interrupted: "Thinking was interrupted",
    "timed-out": "Thinking timed out",
  }),
  "switch-mode": fixed({
    running: "Switching the mode",
    completed: "Switched the mode",
    failed: "Could not switch the mode",
    denied: "Switching the mode was denied",
    interrupted: "Switching the mode was interrupted",
    "timed-out": "Switching the mode timed out",
  }),
};
