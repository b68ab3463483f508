import { z } from "zod";
import { nodeIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/**
 * A server of several that share a Postgres database. `active`: it renews its lease. `stopped`: it was shut down. `lost`: its lease has
 * ended; its agents may still run, and it continues with them when it is back. `removed`: it was given up, and its executions are over.
 */
const nodeSchema = z.object({
  id: nodeIdSchema,
  name: z.string(),
  version: z.string(),
  state: z.enum(["active", "stopped", "lost", "removed"]),
  /** The server that answers this request. */
  isOwn: z.boolean(),
  startedAt: timestampSchema,
  /** Its last sign of life, by the clock of the database. */
  seenAt: timestampSchema,
  runningExecutions: z.int().nonnegative(),
});
/** The servers that share the database: `GET /api/nodes`. */
export const nodeListSchema = z.array(nodeSchema);
export type ServerNode = z.infer<typeof nodeSchema>;
