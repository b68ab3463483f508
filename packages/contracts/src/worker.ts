import { z } from "zod";
import { agentInfoSchema } from "./agent.ts";
import { executionIdSchema, hostIdSchema, projectIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** A word by which attempts choose among workers. */
export const workerTagSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/, "expected letters, digits, dots, hyphens or underscores");
export const workerNameSchema = z.string().trim().min(1).max(100);

/**
 * `invited`: it has not connected yet. `draining`: its agents finish, no new ones start. `removed`: it may not connect any more; what
 * ran there was interrupted.
 */
const hostStateSchema = z.enum(["invited", "active", "draining", "removed"]);

/** What a worker reports about itself when it connects, and when it changes. */
export const workerReportSchema = z.object({
  name: workerNameSchema,
  tags: z.array(workerTagSchema).max(50),
  /** Executions that it runs at the same time, at most. */
  capacity: z.int().positive().max(1000),
  /** Skein's version. */
  version: z.string().max(100),
  agents: z.array(agentInfoSchema).max(200),
});
export type WorkerReport = z.infer<typeof workerReportSchema>;

/** A machine where attempts live, other than the server's own. */
export const storedHostSchema = workerReportSchema.extend({
  id: hostIdSchema,
  /** `server`: the machine of another server of the same database. */
  kind: z.enum(["server", "worker"]),
  state: hostStateSchema,
  /** SHA-256 of its credential, or of the code of its invitation. */
  tokenHash: z.string(),
  /** When an invitation ends; null afterwards. */
  expiresAt: timestampSchema.nullable(),
  /** When it was last connected; null: never. */
  lastSeenAt: timestampSchema.nullable(),
  /** The server that it is connected to, where several share a database. */
  connectedNodeId: z.string().nullable(),
  createdAt: timestampSchema,
});
export type StoredHost = z.infer<typeof storedHostSchema>;

/** A fetch of a project's remote by a worker: one that runs, or the last one if it failed. Then the server sends the objects. */
const workerFetchSchema = z.object({ projectId: projectIdSchema, state: z.enum(["running", "failed"]), text: z.string() });
export type WorkerFetch = z.infer<typeof workerFetchSchema>;

/** A worker, as clients see it. */
export const workerSchema = storedHostSchema.omit({ tokenHash: true, kind: true, connectedNodeId: true }).extend({
  isConnected: z.boolean(),
  /** Executions that are running there. */
  running: z.int().nonnegative(),
  /** Executions that wait for it: because it is offline, busy or draining. */
  waiting: z.int().nonnegative(),
  /** Those that wait, and while it is offline all that it should run. */
  waitingExecutions: z.array(executionIdSchema),
  /** Of projects whose workers fetch from the remote, as the answering server knows them. */
  fetches: z.array(workerFetchSchema),
  /** It has another version of Skein than the server that answers. */
  isOtherVersion: z.boolean(),
});
export type Worker = z.infer<typeof workerSchema>;

/** The choice of a worker: its id, its name, or a tag. */
export const workerChoiceSchema = z.string().min(1).max(200);

/** The body of `POST /api/workers`. */
export const inviteWorkerSchema = z.object({ name: workerNameSchema.optional() });

/** An invitation. The code can be used once. */
export const workerInvitationSchema = z.object({
  id: hostIdSchema,
  code: z.string(),
  expiresAt: timestampSchema,
  /** The command that starts the worker. */
  command: z.string(),
});
export type WorkerInvitation = z.infer<typeof workerInvitationSchema>;

/** The body of `POST /api/workers/enrolments`: the code of an invitation is exchanged for a credential that the worker has chosen. */
export const enrolWorkerSchema = z.object({
  code: z.string().min(1).max(200),
  /** 32 random bytes or more, in base64url. */
  credential: z.string().regex(/^[A-Za-z0-9_-]{43,200}$/),
  report: workerReportSchema.omit({ agents: true }),
});
export type EnrolWorker = z.infer<typeof enrolWorkerSchema>;

/** The body of `PATCH /api/workers/:id`. */
export const updateWorkerSchema = z.object({ state: z.enum(["active", "draining"]) });

/** The body of `POST /api/attempts/:id/move`. */
export const moveAttemptSchema = z.object({
  /** A worker's id, name or tag; null: the server's own machine. */
  host: workerChoiceSchema.nullable(),
});
