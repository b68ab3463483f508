import { z } from "zod";
import { nodeIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** What a server that is being drained still has, as of its last sign of life. Only `workers` keep nothing from being stopped. */
export const drainProgressSchema = z.object({
  /** Agents that run on its machine. */
  agents: z.int().nonnegative(),
  /** Executions on workers that no other server follows yet. */
  following: z.int().nonnegative(),
  /** Jobs that it runs. */
  jobs: z.int().nonnegative(),
  /** Executions that start when it is activated again. */
  waiting: z.int().nonnegative(),
  /** Workers that are connected to it. */
  workers: z.int().nonnegative(),
});
export type DrainProgress = z.infer<typeof drainProgressSchema>;

/**
 * A server of several that share a Postgres database. `active`: it renews its lease. `stopped`: it was shut down. `lost`: its lease has
 * ended; its agents may still run, and it continues with them when it is back. `removed`: it was given up, and its executions are over.
 */
export const nodeSchema = z.object({
  id: nodeIdSchema,
  name: z.string(),
  version: z.string(),
  state: z.enum(["active", "stopped", "lost", "removed"]),
  /** The server that answers this request. */
  isOwn: z.boolean(),
  /** It starts no agents on its machine and takes no projects; what others can do is done by them. */
  isDraining: z.boolean(),
  /** Null if it is not being drained, or has not noticed yet. */
  drain: drainProgressSchema.nullable(),
  /** Whether it can be stopped without anything being interrupted or waiting for its return, except for what waits already. */
  canStop: z.boolean(),
  startedAt: timestampSchema,
  /** Its last sign of life, by the clock of the database. */
  seenAt: timestampSchema,
  runningExecutions: z.int().nonnegative(),
});
/** The servers that share the database: `GET /api/nodes`. */
export const nodeListSchema = z.array(nodeSchema);
export type ServerNode = z.infer<typeof nodeSchema>;

/** The body of `PATCH /api/nodes/:id`. */
export const updateNodeSchema = z.object({ draining: z.boolean() });
