import type { ApprovalAsk } from "./approval-ask.ts";
import { createPlural } from "./plural.ts";

type Ask = (subject: string | undefined, count: number) => string;

const plural = createPlural("en");
const ask =
  (verb: string, unknown: string): Ask =>
  (subject) =>
    `${verb} ${subject ?? unknown}?`;
const askFiles =
  (verb: string): Ask =>
  (subject, count) =>
    count > 1 ? `${verb} ${plural(count, { one: "# file", other: "# files" })}?` : `${verb} ${subject ?? "a file"}?`;
const fixed =
  (question: string): Ask =>
  () =>
    question;

const questions: Readonly<Record<ApprovalAsk["action"], Ask>> = {
  create: askFiles("Create"),
  overwrite: askFiles("Overwrite"),
  call: (subject) => (subject === undefined ? "Use a tool?" : `Use ${subject}?`),
  titled: ask("Use", "a tool"),
  text: ask("Use", "a tool"),
  run: ask("Run", "a command"),
  start: (subject) => `Run ${subject ?? "a command"} in the background?`,
  "read-output": ask("Read the output of", "a background command"),
  stop: ask("Stop", "a background command"),
  "list-commands": fixed("List background commands?"),
  read: askFiles("Read"),
  write: askFiles("Write"),
  update: askFiles("Edit"),
  delete: askFiles("Delete"),
  move: askFiles("Move"),
  list: ask("List", "files"),
  "find-files": (subject) => (subject === undefined ? "Look for files?" : `Look for files matching ${subject}?`),
  search: ask("Search for", "text in files"),
  "search-files": ask("Search for", "text in files"),
  "search-web": (subject) => (subject === undefined ? "Search the web?" : `Search the web for ${subject}?`),
  fetch: ask("Fetch", "a page"),
  remember: ask("Remember", "a fact"),
  ask: (subject) => subject ?? "Answer a question?",
  "run-subagent": (subject) => (subject === undefined ? "Run a subagent?" : `Run a subagent: ${subject}?`),
  "start-subagent": (subject) => (subject === undefined ? "Start a subagent?" : `Start a subagent: ${subject}?`),
  "use-skill": (subject) => (subject === undefined ? "Use a skill?" : `Use the skill ${subject}?`),
  "update-todos": fixed("Update the todo list?"),
  "read-todos": fixed("Read the todo list?"),
  "add-todo": (subject) => (subject === undefined ? "Add a todo?" : `Add the todo ${subject}?`),
  "update-todo": (subject) => (subject === undefined ? "Update a todo?" : `Update todo ${subject}?`),
  "start-todo": (subject) => (subject === undefined ? "Start a todo?" : `Start todo ${subject}?`),
  "complete-todo": (subject) => (subject === undefined ? "Complete a todo?" : `Complete todo ${subject}?`),
  "reopen-todo": (subject) => (subject === undefined ? "Reopen a todo?" : `Reopen todo ${subject}?`),
  "cancel-todo": (subject) => (subject === undefined ? "Cancel a todo?" : `Cancel todo ${subject}?`),
  "delete-todo": (subject) => (subject === undefined ? "Delete a todo?" : `Delete todo ${subject}?`),
  "propose-plan": fixed("Follow this plan?"),
  "set-up": fixed("Run the setup script?"),
  check: fixed("Run the checks?"),
  think: fixed("Let the agent think?"),
  "switch-mode": fixed("Switch the mode?"),
};

/** “Run npm test?”, “Edit 3 files?” */
export function formatApprovalAsk({ action, subject, count = 1 }: ApprovalAsk): string {
  return questions[action](subject, count);
}
