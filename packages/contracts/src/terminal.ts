import { z } from "zod";
import { terminalIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

const columnsSchema = z.int().min(2).max(1000);
const rowsSchema = z.int().min(1).max(1000);

/** Size of a terminal in characters. */
export const terminalSizeSchema = z.object({ columns: columnsSchema, rows: rowsSchema });
export type TerminalSize = z.infer<typeof terminalSizeSchema>;

/** How a terminal's program ended. `lost`: it ended with the machine, or with the process that held it, and no exit is known. */
export const terminalExitSchema = z.object({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  endedAt: timestampSchema,
  lost: z.literal(true).exactOptional(),
  /** Why the program could not be started. */
  startError: z.string().exactOptional(),
});
export type TerminalExit = z.infer<typeof terminalExitSchema>;

/** A terminal of an attempt: a shell in the attempt's folder that keeps running without a viewer. */
export const terminalSchema = z.object({
  id: terminalIdSchema,
  /** Number within the attempt, from 1. */
  number: z.int().positive(),
  startedAt: timestampSchema,
  /** Confined like the agent of its attempt. */
  sandboxed: z.boolean(),
  /** Null while it runs. */
  exit: terminalExitSchema.nullable(),
});
export type Terminal = z.infer<typeof terminalSchema>;

/** The most terminals that an attempt can have. */
export const maxTerminals = 8;

/** The terminals of an attempt. */
export const terminalListSchema = z.object({
  terminals: z.array(terminalSchema),
  /** The most that an attempt can have. */
  limit: z.int().positive(),
});
export type TerminalList = z.infer<typeof terminalListSchema>;

/** Keys that were typed, as the terminal sends them. */
export const terminalInputSchema = z.object({
  data: z
    .string()
    .min(1)
    .max(256 * 1024),
});

/**
 * One line of `GET /api/attempts/:id/terminals/:terminal/output`. Offsets count the bytes of all output since the start. `start` is larger
 * than the offset that was requested if what was between is no longer kept. An empty `data` keeps the connection alive. `exit` follows the
 * last output.
 */
export const terminalOutputSchema = z.object({
  start: z.int().nonnegative(),
  /** Base64. */
  data: z.string(),
  /** Offset of the end of all output so far: what is before it was printed before. */
  end: z.int().nonnegative(),
  exit: terminalExitSchema.nullable(),
});
export type TerminalOutput = z.infer<typeof terminalOutputSchema>;

/**
 * The state of an attempt's dev server. `starting`: it runs, and nothing listens on its port yet. `exited`: by itself, or with the machine;
 * `stopped`: by the user.
 */
export const devServerSchema = z.object({
  state: z.enum(["none", "starting", "listening", "exited", "stopped"]),
  /** The port that is reserved for the attempt; null before its first start. */
  port: z.int().nullable(),
  /** Where to open it, if it listens and the browser can be on the same machine. */
  url: z.string().nullable(),
  startedAt: timestampSchema.nullable(),
  exit: terminalExitSchema.nullable(),
  /** Identifies the run, for its log; null before the first start. */
  run: terminalIdSchema.nullable(),
});
export type DevServer = z.infer<typeof devServerSchema>;
