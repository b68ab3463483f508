import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { attemptIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** A program whose sessions on this machine can be imported. */
export const importSourceSchema = z.enum(["claude-code", "codex", "gemini", "opencode", "vibe-kanban"]);
export type ImportSource = z.infer<typeof importSourceSchema>;

/** Where imported tasks come from: a program, or a file with an exported attempt (`skein`). */
export const importOriginSchema = z.enum([...importSourceSchema.options, "skein"]);
export type ImportOrigin = z.infer<typeof importOriginSchema>;

/** An id that another program gave a session. */
export const foreignSessionIdSchema = z.string().min(1).max(300);

/**
 * `new`: not imported. `changed`: has grown since it was imported. `imported`: nothing is new. `continued`: imported, and continued in Skein
 * since; what its own program adds to it is not imported any more. `in-skein`: the session of an attempt that Skein itself started.
 * `deleted`: imported, and the task was deleted.
 */
export const importStateSchema = z.enum(["new", "changed", "imported", "continued", "in-skein", "deleted"]);
export type ImportState = z.infer<typeof importStateSchema>;

/** `missing`: the folder does not exist. `no-repository`: it is in no git repository. */
export const importFolderStateSchema = z.enum(["repository", "missing", "no-repository"]);
export type ImportFolderState = z.infer<typeof importFolderStateSchema>;

/** A session that was found on this machine. */
export const importableSessionSchema = z.object({
  id: foreignSessionIdSchema,
  agent: agentIdSchema,
  /** Its own title, or the beginning of its first message. */
  title: z.string(),
  /** Where the agent worked; null if the session does not record it. */
  directory: z.string().nullable(),
  folder: importFolderStateSchema,
  /** The repository that contains `directory`. */
  repository: z.string().nullable(),
  startedAt: timestampSchema,
  updatedAt: timestampSchema,
  bytes: z.int().nonnegative(),
  state: importStateSchema,
  /** The task that it was imported as, or belongs to. */
  taskId: taskIdSchema.nullable(),
});
export type ImportableSession = z.infer<typeof importableSessionSchema>;

/**
 * Why a part of a source was not imported. `unreadable-file`: it cannot be opened or read. `unreadable-line`: not JSON. `long-line`: longer
 * than what is read. `large-file`: larger than what is read. `unknown-format`: no session of a known format. `busy-database`: it changed
 * while it was copied. `unreadable-database`: no database, or with unknown tables. `not-saved`: Skein's database rejected it.
 */
export const importProblemCodeSchema = z.enum([
  "unreadable-file",
  "unreadable-line",
  "long-line",
  "large-file",
  "unknown-format",
  "busy-database",
  "unreadable-database",
  "not-saved",
]);
export type ImportProblemCode = z.infer<typeof importProblemCodeSchema>;

/** A part of a source that was left out. Everything else is imported. */
export const importProblemSchema = z.object({
  code: importProblemCodeSchema,
  /** The file, or the database, that it is in. */
  file: z.string(),
  sessionId: foreignSessionIdSchema.exactOptional(),
  /** The first affected line, from 1. */
  line: z.int().positive().exactOptional(),
  /** How many lines are affected. */
  count: z.int().positive().exactOptional(),
  /** The system's own message. */
  detail: z.string().exactOptional(),
});
export type ImportProblem = z.infer<typeof importProblemSchema>;

/** What was found of one program. */
export const importSourceInfoSchema = z.object({
  source: importSourceSchema,
  name: z.string(),
  /** The folders and files that were looked at, and exist. Empty: the program was not found. */
  places: z.array(z.string()),
  /** Newest first. */
  sessions: z.array(importableSessionSchema),
  problems: z.array(importProblemSchema),
});
export type ImportSourceInfo = z.infer<typeof importSourceInfoSchema>;

/** Progress and result of one import. */
export const importRunSchema = z.object({
  id: z.string(),
  source: importOriginSchema,
  /** `waiting`: another import runs. `stopped`: a user ended it; what was imported stays. */
  state: z.enum(["waiting", "running", "done", "stopped", "failed"]),
  /** Sessions to import, and how many of them have been read. */
  sessions: z.int().nonnegative(),
  finished: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  finishedBytes: z.int().nonnegative(),
  /** Lines, or records of a database, that were read. */
  lines: z.int().nonnegative(),
  messages: z.int().nonnegative(),
  /** Sessions that are new, that have grown, and that were not changed. */
  added: z.int().nonnegative(),
  updated: z.int().nonnegative(),
  unchanged: z.int().nonnegative(),
  problems: z.array(importProblemSchema),
  /** More problems than are listed. */
  furtherProblems: z.int().nonnegative(),
  /** The task that a file was imported as. */
  taskId: taskIdSchema.exactOptional(),
  startedAt: timestampSchema,
  endedAt: timestampSchema.nullable(),
});
export type ImportRun = z.infer<typeof importRunSchema>;

/** The programs whose sessions can be imported, with what was found of each. */
export const importSourcesSchema = z.object({ sources: z.array(importSourceInfoSchema) });
export type ImportSources = z.infer<typeof importSourcesSchema>;

/** The imports since the server was started, newest first. */
export const importRunsSchema = z.object({ runs: z.array(importRunSchema) });
export type ImportRuns = z.infer<typeof importRunsSchema>;

/** Without `sessions`: all that are new or have grown, except for those whose task was deleted. */
export const startImportSchema = z.object({
  source: importSourceSchema,
  sessions: z.array(foreignSessionIdSchema).max(100_000).exactOptional(),
  /** Only sessions with activity since then. */
  since: timestampSchema.exactOptional(),
});
export type StartImport = z.infer<typeof startImportSchema>;

/** The project that an exported attempt is imported into. */
export const importFileQuerySchema = z.object({ projectId: projectIdSchema });

/** How imported tasks are filed: in the column “Done”, or archived. */
export const importTargetSchema = z.enum(["done", "archived"]);

/** What the database has of a session that was imported. */
export const importedSessionSchema = z.object({
  source: importOriginSchema,
  sessionId: foreignSessionIdSchema,
  attemptId: attemptIdSchema,
  /** Counts imports of a session whose earlier tasks were deleted: their ids are not used again. */
  generation: z.int().nonnegative(),
  /** Of the source's content up to the end of what was imported; empty while an import is incomplete. */
  fingerprint: z.string(),
  /** Where the last turn begins: the next import reads from there. */
  position: z.int().nonnegative(),
  turnKey: z.string(),
  /** Number of turns that were imported. */
  turns: z.int().nonnegative(),
  importedAt: timestampSchema,
});
export type ImportedSession = z.infer<typeof importedSessionSchema>;
