import { agentIdSchema, catalogueIdSchema } from "@skein/contracts";
import { z } from "zod";

const commandSchema = z.tuple([z.string().min(1)], z.string());

/** What the person sets for an agent in config.json. No request ever names a program (X7): this file is where it stands. */
const agentSettingsSchema = z.strictObject({
  /** Program and arguments, in place of the one on PATH. */
  command: commandSchema.optional(),
  /** Shown instead of the id. */
  name: z.string().min(1).max(100).optional(),
  /** Given to the agent beside what it gets anyway. */
  environment: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is not the name of a variable"), z.string()).optional(),
  /** Offered first when a model is chosen. */
  models: z.array(z.string().min(1)).optional(),
  /** False: it is kept, and not started. */
  enabled: z.boolean().optional(),
  /** The entry of the catalogue that its command was taken from, and its version then. */
  catalogue: z.strictObject({ id: catalogueIdSchema, version: z.string().min(1) }).optional(),
});
export type AgentSettings = z.output<typeof agentSettingsSchema>;

/** By agent id. `acp:<name>` and `command:<name>` exist by being written here, and need a command. */
export const agentsConfigSchema = z
  .record(
    agentIdSchema.refine((id) => id !== "native", "the native agent is set under native"),
    agentSettingsSchema,
  )
  .superRefine((agents, context) => {
    for (const [id, { command }] of Object.entries(agents)) {
      if (id.includes(":") && command === undefined) {
        context.addIssue({ code: "custom", path: [id], message: 'needs a command, such as ["my-agent", "--acp"]' });
      }
    }
  });
export type AgentsConfig = z.output<typeof agentsConfigSchema>;
