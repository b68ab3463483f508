import { z } from "zod";
import { nodeIdSchema, projectIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { systemPromptSchema } from "./system-prompt.ts";

/** A git repository on this machine. `path` is the real path of its top folder. */
export const projectSchema = z.object({
  id: projectIdSchema,
  name: z.string(),
  path: z.string(),
  /** For every attempt of the project, after that of the settings. */
  systemPrompt: systemPromptSchema,
  /** Commit the changes of each attempt in a worktree when an execution has ended. Absent: no. */
  autoCommit: z.boolean().exactOptional(),
  /** Run its check script after each execution that ended by itself. Absent: only in races and on request. */
  runChecks: z.boolean().exactOptional(),
  /** Workers fetch its objects from its remote, with their own credentials, before the server sends the rest. Absent: no. */
  workersFetch: z.boolean().exactOptional(),
  /** Its agents may use Skein: start tasks, send messages and read results, within limits. Absent: no. */
  agentAccess: z.boolean().exactOptional(),
  /** The server on whose machine it is, if several servers share the database. */
  nodeId: nodeIdSchema.exactOptional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Project = z.infer<typeof projectSchema>;
