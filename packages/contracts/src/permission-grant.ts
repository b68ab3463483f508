import { z } from "zod";
import { grantIdSchema, projectIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** The agent's own name for a tool: what is allowed to one agent's tool is not allowed to another's. */
const tool = z.string().min(1).max(200);

/** What a user allows permanently in a project by answering “Always”. */
export const permissionGrantSchema = z.discriminatedUnion("type", [
  /** This very command, in the attempt's own folder. */
  z.object({ type: z.literal("command"), tool, command: z.string().min(1).max(2000) }),
  /**
   * A program of a vetted list (`git log`) with any arguments that only read, inside the attempt's folder. A program that is
   * not on the list, from the time when any beginning of a command could be allowed, allows nothing.
   */
  z.object({ type: z.literal("read-only-command"), tool, program: z.string().min(1).max(500) }),
  /** Changes of ordinary files inside the attempt's folder; protected files are still asked about. */
  z.object({ type: z.literal("edits"), tool }),
  /** Pages of one origin: scheme, host and port. */
  z.object({ type: z.literal("origin"), tool, origin: z.string().min(1).max(300) }),
  /** Every call of a tool that is neither a command, an edit nor a download: one of an MCP server. */
  z.object({ type: z.literal("tool"), tool }),
]);
export type PermissionGrant = z.infer<typeof permissionGrantSchema>;

/** A grant that was stored for a project. */
export const storedGrantSchema = z.object({
  id: grantIdSchema,
  projectId: projectIdSchema,
  grant: permissionGrantSchema,
  createdAt: timestampSchema,
});
export type StoredGrant = z.infer<typeof storedGrantSchema>;

/** As it is listed. False: it was allowed by an earlier version in a way that no longer counts, and is asked about again. */
export const listedGrantSchema = storedGrantSchema.extend({ isInEffect: z.boolean() });
export type ListedGrant = z.infer<typeof listedGrantSchema>;
