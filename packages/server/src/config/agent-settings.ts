import { agentIdSchema, catalogueIdSchema } from "@skein/contracts";
import { z } from "zod";

const commandSchema = z.tuple([z.string().min(1)], z.string());

/** The user's settings for an agent in config.json. Programs are configured only here, never by an HTTP request (X7). */
const agentSettingsSchema = z.strictObject({
  /** Program and arguments, instead of the one on PATH. */
  command: commandSchema.optional(),
  /** Shown instead of the id. */
  name: z.string().min(1).max(100).optional(),
  /** Additional environment variables. */
  environment: z
    .record(z.stringFormat("variable-name", /^[A-Za-z_][A-Za-z0-9_]*$/, "is not the name of a variable"), z.string())
    .optional(),
  /** Listed first when a model is chosen. */
  models: z.array(z.string().min(1)).optional(),
  /** False: configured, but not started. */
  enabled: z.boolean().optional(),
  /** The catalogue entry that its command was taken from, and the version at that time. */
  catalogue: z.strictObject({ id: catalogueIdSchema, version: z.string().min(1) }).optional(),
});
export type AgentSettings = z.output<typeof agentSettingsSchema>;

/** By agent id. `acp:<name>` and `command:<name>` are defined here and need a command. */
export const agentsConfigSchema = z
  .record(
    agentIdSchema.refine((id) => id !== "native", { error: "is configured under “native”", params: { rule: "not-native" } }),
    agentSettingsSchema,
  )
  .superRefine((agents, context) => {
    for (const [id, { command }] of Object.entries(agents)) {
      if (id.includes(":") && command === undefined) {
        context.addIssue({ code: "custom", path: [id], message: "needs a command", params: { rule: "agent-command" } });
      }
    }
  });
export type AgentsConfig = z.output<typeof agentsConfigSchema>;
