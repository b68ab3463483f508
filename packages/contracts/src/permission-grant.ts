import { z } from "zod";
import { grantIdSchema, projectIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** The agent's own name for a tool: a grant for one agent's tool does not apply to another's. */
const tool = z.string().min(1).max(200);

/** What a user permanently allows in a project by answering “Always”. */
export const permissionGrantSchema = z.discriminatedUnion("type", [
  /** Exactly this command, in the attempt's own folder. */
  z.object({ type: z.literal("command"), tool, command: z.string().min(1).max(2000) }),
  /**
   * A program of a vetted list (`git log`) with any read-only arguments, inside the attempt's folder. Grants of earlier releases for
   * other programs allow nothing.
   */
  z.object({ type: z.literal("read-only-command"), tool, program: z.string().min(1).max(500) }),
  /** Changes of ordinary files inside the attempt's folder; protected files still need approval. */
  z.object({ type: z.literal("edits"), tool }),
  /** Pages of one origin: scheme, host and port. */
  z.object({ type: z.literal("origin"), tool, origin: z.string().min(1).max(300) }),
  /** Every call of a tool that is neither a command, an edit nor a download: for example one of an MCP server. */
  z.object({ type: z.literal("tool"), tool }),
]);
export type PermissionGrant = z.infer<typeof permissionGrantSchema>;

/** A stored grant of a project. */
export const storedGrantSchema = z.object({
  id: grantIdSchema,
  projectId: projectIdSchema,
  grant: permissionGrantSchema,
  createdAt: timestampSchema,
});
export type StoredGrant = z.infer<typeof storedGrantSchema>;

/** A grant in a list. False: it was stored by an earlier version in a form that no longer applies. */
export const listedGrantSchema = storedGrantSchema.extend({ isInEffect: z.boolean() });
export type ListedGrant = z.infer<typeof listedGrantSchema>;
