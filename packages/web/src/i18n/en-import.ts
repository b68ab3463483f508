import type { ImportFolderState, ImportProblemCode, ImportRun, ImportState } from "@skein/contracts";
import { createPlural } from "./plural.ts";

const plural = createPlural("en");

const states: Record<ImportState, string> = {
  new: "New",
  changed: "Has new messages",
  imported: "Imported",
  continued: "Continued in Skein",
  "in-skein": "Started by Skein",
  deleted: "Deleted in Skein",
};
const folders: Record<Exclude<ImportFolderState, "repository">, string> = {
  missing: "The folder no longer exists: the session can be read, but not continued there.",
  "no-repository": "The folder is not in a git repository: the session can be read, but not continued there.",
};
const problems: Record<ImportProblemCode, string> = {
  "unreadable-file": "cannot be read",
  "unreadable-line": "is not JSON; left out",
  "long-line": "has a line that is too long; left out",
  "large-file": "is too large; left out",
  "unknown-format": "is not a session of a known format; left out",
  "busy-database": "changed while it was copied. Close the program that uses it, then look again.",
  "unreadable-database": "is not a database of a known version; left out",
  "not-saved": "could not be saved",
};
const runs: Record<ImportRun["state"], string> = {
  waiting: "Waiting",
  running: "Importing",
  done: "Done",
  stopped: "Stopped",
  failed: "Failed",
};

/** `messages` is formatted. */
interface RunResult extends Pick<ImportRun, "added" | "updated" | "unchanged"> {
  messages: string;
}

/** Texts of the import page. Loaded with it. */
export const importEn = {
  title: "Import sessions",
  what: "Sessions of other programs on this machine become tasks that can be searched, read and continued. Their files are only read, never changed.",
  looking: "Looking for sessions…",
  again: "Look again",
  nothing: "No sessions of Claude Code, Codex, Gemini CLI, opencode or vibe-kanban were found on this machine.",
  found: (count: number) => plural(count, { one: "# session", other: "# sessions" }),
  fresh: (count: number) => plural(count, { one: "# to import", other: "# to import" }),
  choose: (title: string) => `Import ${title}`,
  chooseAll: (name: string) => `All new sessions of ${name}`,
  chosen: (count: number, size: string) => `${plural(count, { one: "# session", other: "# sessions" })}, ${size}`,
  start: "Import",
  stop: "Stop",
  open: "Open",
  states,
  folders,
  noFolder: "Folder unknown",
  /** Follows the name of a file. */
  at: (place: string | undefined, what: string) => (place === undefined ? `: ${what}` : ` (${place}): ${what}`),
  problem: (code: ImportProblemCode) => problems[code],
  line: (line: string, count: number) => (count > 1 ? `line ${line} and ${count - 1} more` : `line ${line}`),
  problems: (count: number) => plural(count, { one: "# problem", other: "# problems" }),
  runs: "Imports",
  runState: (state: ImportRun["state"]) => runs[state],
  progress: (done: string, total: string) => `${done} of ${total}`,
  result: ({ added, updated, unchanged, messages }: RunResult) =>
    added + updated === 0 && unchanged > 0
      ? plural(unchanged, { one: "Imported before", other: "Nothing new in # sessions" })
      : `${added} imported, ${updated} updated, ${messages} messages`,
  file: "Exported attempt",
  fileWhat:
    "A JSON file that Skein has exported, here or on another machine, becomes a task with its conversation. Its changes are not in it: they are in git.",
  fileNeedsProject: "Add a project first: the exported attempt becomes one of its tasks.",
  project: "Project",
  chooseFile: "Choose a file…",
  sending: "Checking the file…",
  more: (count: number) => `and ${count} more`,
  as: "File imported tasks under",
  asChoices: { done: "Done", archived: "Archive" },
  watch: "Keep importing new sessions",
  watchEffect: "While Skein runs, it watches the folders of these programs and imports new sessions.",
};
export type ImportText = typeof importEn;
