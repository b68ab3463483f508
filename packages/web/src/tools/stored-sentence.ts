import type { ToolAction, ToolSummary } from "@skein/contracts";

/*
 * Messages of releases before summaries were data have an English sentence alone. It is read here, so that they are shown in
 * every language, too. Nothing writes such sentences any more: these forms never change.
 */

/** The summary that a stored sentence told; a sentence of no known form is shown as it is. */
export function readStoredSentence(sentence: string, state: ToolSummary["state"]): ToolSummary {
  if (sentence.length > maxLength) return { action: "text", subject: sentence, state };
  return readFixed(sentence, state) ?? readFound(sentence, state) ?? readVerb(sentence, state) ?? readName(sentence, state);
}

/** Longer than any of them. */
const maxLength = 4000;

const fixed: readonly [ToolAction, RegExp][] = [
  ["propose-plan", /^(?:Proposing a plan|Plan approved|Could not propose a plan|Plan was not approved)/],
  ["set-up", /^(?:Running|Ran|The) (?:the )?setup script\b/],
  ["list-commands", /^(?:Listing|Listed|Could not list) background commands\b/],
];

function readFixed(sentence: string, state: ToolSummary["state"]): ToolSummary | undefined {
  const action = fixed.find(([, pattern]) => pattern.test(sentence))?.[0];
  if (action !== undefined) return { action, state };
  const [, verb, count, total] = /^(Updat|Read|Could not update )(?:ing |ed | )?todo list(?: \((\d+)\/(\d+) done\))?/.exec(sentence) ?? [];
  if (verb === undefined) return undefined;
  const counts = count === undefined ? {} : { count: Number(count), total: Number(total) };
  return { action: verb === "Read" ? "read-todos" : "update-todos", ...counts, state };
}

const found: readonly [ToolAction, RegExp][] = [
  ["find-files", /^Found (?<count>\d+) files? matching (?<subject>.*)$/s],
  ["search", /^Found (?<count>\d+) match(?:es)? for (?<subject>.*)$/s],
  ["search-files", /^Found (?<subject>.*) in (?<count>\d+) files?$/s],
];

function readFound(sentence: string, state: ToolSummary["state"]): ToolSummary | undefined {
  for (const [action, pattern] of found) {
    const { count, subject } = pattern.exec(sentence)?.groups ?? {};
    if (count !== undefined) return { action, ...toSubject(subject), count: Number(count), state };
  }
  return undefined;
}

type Verbs = readonly [action: ToolAction, running: string, done: string, failed: string, missing?: string];

/** One that begins with another stands before it. */
const verbs: readonly Verbs[] = [
  ["run-subagent", "Running subagent:", "Ran subagent:", "Subagent failed:", "subagent"],
  ["start-subagent", "Running subagent:", "Started subagent:", "Subagent failed:", "subagent"],
  ["run", "Running", "Ran", "Ran", "a command"],
  ["start", "Running", "Started", "Could not run", "a command"],
  ["read-output", "Reading output of", "Read output of", "Could not read output of", "a background command"],
  ["read", "Reading", "Read", "Could not read", "file"],
  ["stop", "Stopping", "Stopped", "Could not stop", "a background command"],
  ["update-todo", "Updating todo", "Updated todo", "Could not update todo"],
  ["add-todo", "Adding todo:", "Added todo:", "Could not add todo:", "task"],
  ["write", "Writing", "Created", "Could not write", "file"],
  ["update", "Updating", "Updated", "Could not update", "file"],
  ["delete", "Deleting", "Deleted", "Could not delete"],
  ["move", "Moving", "Moved", "Could not move"],
  ["list", "Listing", "Listed", "Could not list", "."],
  ["find-files", "Finding files matching", "Found files matching", "Could not find files matching", "files"],
  ["search-web", "Searching the web for", "Searched the web for", "Could not search the web for"],
  ["search", "Searching for", "Searched for", "Could not search for"],
  ["search", "Search:", "Search:", "Search:", "."],
  ["fetch", "Fetching", "Fetched", "Could not fetch", "page"],
  ["remember", "Remembering", "Remembered", "Could not remember", "a fact"],
  ["ask", "Asking:", "Asked:", "Could not ask:", "a question"],
];

const endings: Partial<Record<ToolSummary["state"], string>> = {
  denied: " was denied",
  interrupted: " was interrupted",
  "timed-out": " timed out",
};

function readVerb(sentence: string, state: ToolSummary["state"]): ToolSummary | undefined {
  const ending = endings[state];
  for (const [action, running, done, failed, missing] of verbs) {
    const start = `${state === "completed" ? done : state === "failed" ? failed : running} `;
    if (!sentence.startsWith(start)) continue;
    const rest = withoutEnding(sentence.slice(start.length), ending);
    return rest === undefined ? undefined : { action, ...toObject(action, rest, missing), state };
  }
  return undefined;
}

/** The ending of several files stands before their names: `Updating 3 files was denied: a, b, c`. */
function withoutEnding(rest: string, ending: string | undefined): string | undefined {
  if (ending === undefined) return rest;
  if (rest.endsWith(ending)) return rest.slice(0, -ending.length);
  return /^\d+ files/.test(rest) && rest.includes(`${ending}: `) ? rest.replace(`${ending}: `, ": ") : undefined;
}

const todoActions: Readonly<Record<string, ToolAction>> = {
  pending: "reopen-todo",
  "in progress": "start-todo",
  completed: "complete-todo",
  cancelled: "cancel-todo",
  deleted: "delete-todo",
};

function toObject(action: ToolAction, rest: string, missing: string | undefined): Partial<ToolSummary> {
  if (rest === missing) return {};
  if (action === "start") return toSubject(rest.replace(/ in the background$/, ""), missing);
  if (action === "update-todo") {
    const [, subject, status = ""] = /^(#[^:]*)(?:: (?:.* → )?(.*))?$/.exec(rest) ?? [];
    return { action: (Object.hasOwn(todoActions, status) ? todoActions[status] : undefined) ?? action, ...toSubject(subject ?? rest) };
  }
  const [, count, names] = /^(\d+) files: (.*)$/s.exec(rest) ?? [];
  return count === undefined ? toSubject(rest) : { ...toSubject(names), count: Number(count) };
}

/** `deploy completed`: the name of a tool; without an ending it may as well be a title. */
function readName(sentence: string, state: ToolSummary["state"]): ToolSummary {
  const ending = state === "completed" ? " completed" : state === "failed" ? " failed" : endings[state];
  if (ending === undefined || !sentence.endsWith(ending)) return { action: "text", subject: sentence, state };
  return { action: "call", subject: sentence.slice(0, -ending.length), state };
}

function toSubject(subject: string | undefined, missing = ""): { subject?: string } {
  return subject === undefined || subject === missing ? {} : { subject };
}
