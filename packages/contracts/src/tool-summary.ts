import { z } from "zod";

/** How a tool execution ended. */
export const toolExecutionEndStateSchema = z.enum(["completed", "failed", "denied", "interrupted", "timed-out"]);
export type ToolExecutionEndState = z.infer<typeof toolExecutionEndStateSchema>;

/** What a tool does, as a code that every client can translate. Each comment describes `subject`. */
export const toolActionSchema = z.enum([
  /** Any tool without an action of its own: its name. */
  "call",
  /** The agent's title for the call, shown verbatim. */
  "titled",
  /** A sentence of the user's own tool processor, shown verbatim in every state. */
  "text",
  /** A command; also for one that ran and failed. */
  "run",
  /** A command that keeps running in the background; `failed`: it never ran. */
  "start",
  /** A background command, or its id. */
  "read-output",
  "stop",
  "list-commands",
  /** A path; several, separated by commas, if `count` is set. */
  "read",
  /** A new file, or a file that is written as a whole. */
  "write",
  "update",
  "delete",
  "move",
  /** A folder; absent: the working folder. */
  "list",
  /** A file name pattern; `count` of files found. */
  "find-files",
  /** A text pattern; `count` of matches. */
  "search",
  /** A text pattern; `count` of files with matches. */
  "search-files",
  "search-web",
  /** An address. */
  "fetch",
  "remember",
  /** A question to the user. */
  "ask",
  /** The task of a subagent. */
  "run-subagent",
  "start-subagent",
  "use-skill",
  /** `count` of `total` todos are done. */
  "update-todos",
  "read-todos",
  /** The text of a new todo. */
  "add-todo",
  /** `#` and the number of a todo. */
  "update-todo",
  "start-todo",
  "complete-todo",
  "reopen-todo",
  "cancel-todo",
  "delete-todo",
  "propose-plan",
  "set-up",
  "check",
  "think",
  "switch-mode",
]);
export type ToolAction = z.infer<typeof toolActionSchema>;

/** One line about a tool execution, as data: each client formats it in its own language. */
export const toolSummarySchema = z.object({
  action: toolActionSchema,
  /** Path, command, pattern, address or name: one line, shown verbatim in every language. Absent if unknown. */
  subject: z.string().optional(),
  /** How many files, matches or todos. */
  count: z.int().nonnegative().optional(),
  /** `count` is the number of these. */
  total: z.int().nonnegative().optional(),
  /** As displayed: a tool that completed and reported an error has failed. */
  state: z.enum(["running", ...toolExecutionEndStateSchema.options]),
});
export type ToolSummary = z.infer<typeof toolSummarySchema>;

/** A tool processor's summary: without a state it has that of its tool execution. */
export const toolSummaryDraftSchema = toolSummarySchema.partial({ state: true });

/** As stored: messages of earlier releases have only the English sentence. */
export const storedToolSummarySchema = z.union([toolSummarySchema, z.string()]);
export type StoredToolSummary = z.infer<typeof storedToolSummarySchema>;
