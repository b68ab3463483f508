import { z } from "zod";

/** How a tool execution ended. */
export const toolExecutionEndStateSchema = z.enum(["completed", "failed", "denied", "interrupted", "timed-out"]);
export type ToolExecutionEndState = z.infer<typeof toolExecutionEndStateSchema>;

/** What a tool does, as a code that every client has words for. `subject` of a summary is what the comment names. */
export const toolActionSchema = z.enum([
  /** Any tool without an action of its own; its name. */
  "call",
  /** A title that the agent wrote for the call, shown as it is. */
  "titled",
  /** A sentence of the user's own tool processor, shown as it is in every state. */
  "text",
  /** A command. One that failed did run. */
  "run",
  /** A command that keeps running in the background; `failed`: a command that never ran. */
  "start",
  /** A background command, or its id. */
  "read-output",
  "stop",
  "list-commands",
  /** A path; several, separated by commas, where `count` is given. */
  "read",
  /** A new file, or a file that is written whole. */
  "write",
  "update",
  "delete",
  "move",
  /** A folder; none: the working folder. */
  "list",
  /** A pattern of names; `count` of files found. */
  "find-files",
  /** A pattern of text; `count` of matches. */
  "search",
  /** A pattern of text; `count` of files with matches. */
  "search-files",
  "search-web",
  /** An address. */
  "fetch",
  "remember",
  /** A question to the user. */
  "ask",
  /** What a subagent is asked to do. */
  "run-subagent",
  "start-subagent",
  "use-skill",
  /** `count` of `total` todos are done. */
  "update-todos",
  "read-todos",
  /** The words of a new todo. */
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
  "think",
  "switch-mode",
]);
export type ToolAction = z.infer<typeof toolActionSchema>;

/** One line about a tool execution, as data: each client formats it in its own language. */
export const toolSummarySchema = z.object({
  action: toolActionSchema,
  /** Path, command, pattern, address or name: one line, shown as it is in every language. Absent where it is not known. */
  subject: z.string().optional(),
  /** How many files, matches or todos. */
  count: z.int().nonnegative().optional(),
  /** `count` is so many of these. */
  total: z.int().nonnegative().optional(),
  /** As shown: a tool that ended well and reported an error has failed. */
  state: z.enum(["running", ...toolExecutionEndStateSchema.options]),
});
export type ToolSummary = z.infer<typeof toolSummarySchema>;

/** As a tool processor gives it: without a state it has the one of its tool execution. */
export const toolSummaryDraftSchema = toolSummarySchema.partial({ state: true });

/** As stored: messages of earlier releases have the English sentence alone. */
export const storedToolSummarySchema = z.union([toolSummarySchema, z.string()]);
export type StoredToolSummary = z.infer<typeof storedToolSummarySchema>;
