/** The forms of a summary with a verb; what it is about stands in `what`, and after the ending in `rest`. */
function act(running: string, done: string, failed: string, what = "{}", rest = "") {
  return {
    running: `${running} ${what}${rest}`,
    done: `${done} ${what}${rest}`,
    failed: `${failed} ${what}${rest}`,
    denied: `${running} ${what} was denied${rest}`,
    interrupted: `${running} ${what} was interrupted${rest}`,
    timedOut: `${running} ${what} timed out${rest}`,
  };
}

const update = (what?: string, rest?: string) => act("Updating", "Updated", "Could not update", what, rest);
const write = (what?: string, rest?: string) => act("Writing", "Created", "Could not write", what, rest);
const remove = (what?: string, rest?: string) => act("Deleting", "Deleted", "Could not delete", what, rest);
const read = (what?: string) => act("Reading", "Read", "Could not read", what);
const run = (what?: string) => act("Running", "Ran", "Could not run", what);
const stop = (what?: string) => act("Stopping", "Stopped", "Could not stop", what);
const list = (what?: string) => act("Listing", "Listed", "Could not list", what);

/**
 * Every form of the summaries that the engine writes and the server stores: `{}` stands for anything, `{n}` for a number,
 * `{status}` for the status of a todo. They are read with these, and said again in the forms of another language.
 */
export const toolSummariesEn = {
  forms: {
    update: update(),
    updateFiles: update("{n} files", ": {}"),
    updateCell: update("{} (cell {})"),
    write: write(),
    writeFiles: write("{n} files", ": {}"),
    remove: remove(),
    removeFiles: remove("{n} files", ": {}"),
    move: act("Moving", "Moved", "Could not move"),
    read: read(),
    readOutput: read("output of {}"),
    readSomeOutput: read("output of a background command"),
    run: run(),
    runSome: run("a command"),
    background: { done: "Started {} in the background", some: "Started a command in the background" },
    stop: stop(),
    stopSome: stop("a background command"),
    list: list(),
    listCommands: list("background commands"),
    findFiles: act("Finding files matching", "Found files matching", "Could not find files matching"),
    foundFiles: { one: "Found {n} file matching {}", many: "Found {n} files matching {}" },
    search: act("Searching for", "Searched for", "Could not search for"),
    foundMatches: { one: "Found {n} match for {}", many: "Found {n} matches for {}" },
    foundIn: { one: "Found {} in {n} file", many: "Found {} in {n} files" },
    titledSearch: {
      done: "Search: {}",
      failed: "Search: {} failed",
      denied: "Search: {} was denied",
      interrupted: "Search: {} was interrupted",
      timedOut: "Search: {} timed out",
    },
    searchWeb: act("Searching the web for", "Searched the web for", "Could not search the web for"),
    fetch: act("Fetching", "Fetched", "Could not fetch"),
    remember: act("Remembering", "Remembered", "Could not remember"),
    rememberSome: act("Remembering", "Remembered", "Could not remember", "a fact"),
    ask: act("Asking:", "Asked:", "Could not ask:"),
    askSome: act("Asking:", "Asked:", "Could not ask:", "a question"),
    subagent: act("Running subagent:", "Ran subagent:", "Subagent failed:"),
    startedSubagent: { done: "Started subagent: {}" },
    todoList: {
      updating: "Updating todo list ({n}/{n} done)",
      updated: "Updated todo list ({n}/{n} done)",
      notUpdated: "Could not update todo list",
      read: "Read todo list ({n}/{n} done)",
    },
    readTodoList: read("todo list"),
    addTodo: act("Adding todo:", "Added todo:", "Could not add todo:"),
    updateTodo: update("todo #{}"),
    setTodo: update("todo #{}: {status}"),
    changeTodo: update("todo #{}: {status} → {status}"),
    plan: {
      running: "Proposing a plan",
      done: "Plan approved",
      failed: "Could not propose a plan",
      denied: "Plan was not approved",
      interrupted: "Proposing a plan was interrupted",
      timedOut: "Proposing a plan timed out",
    },
    setup: {
      running: "Running the setup script",
      done: "Ran the setup script",
      failed: "The setup script failed",
      denied: "The setup script was denied",
      interrupted: "The setup script was interrupted",
      timedOut: "The setup script timed out",
    },
  },
  /** What follows the name of any tool, or a title that its agent wrote. */
  endings: {
    completed: "{} completed",
    failed: "{} failed",
    denied: "{} was denied",
    interrupted: "{} was interrupted",
    timedOut: "{} timed out",
  },
  statuses: { pending: "pending", "in progress": "in progress", completed: "completed", cancelled: "cancelled", deleted: "deleted" },
};

export type ToolSummaries = typeof toolSummariesEn;
