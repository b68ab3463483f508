import { z } from "zod";
import { agentIdSchema } from "./agent.ts";

/** Ids of the ACP registry. */
export const catalogueIdSchema = z
  .string()
  .max(90)
  .regex(/^[a-z][a-z0-9-]*$/, "expected the id of a catalogue entry, such as qwen-code");

/** How a catalogue entry gets its program: downloaded by npx or uvx on its first start, or installed by the user. */
export const agentSourceSchema = z.enum(["npx", "uvx", "program"]);
export type AgentSource = z.infer<typeof agentSourceSchema>;

/** An agent of the catalogue. */
export const catalogueEntrySchema = z.object({
  id: catalogueIdSchema,
  name: z.string(),
  description: z.string(),
  /** npx and uvx start exactly this version; an installed program has its own. */
  version: z.string(),
  license: z.string().exactOptional(),
  /** Where it is developed. */
  repository: z.string().exactOptional(),
  source: agentSourceSchema,
  /** The exact command that is run. */
  command: z.array(z.string()).min(1),
  /** Variables that are set for it. */
  environment: z.record(z.string(), z.string()),
  /** Path of its program, npx or uvx; null if it is not on this machine. */
  programPath: z.string().nullable(),
  /** Download for this machine, if the user installs the program. */
  download: z.string().exactOptional(),
  /** The built-in agent to use instead. */
  builtIn: agentIdSchema.exactOptional(),
  /** Set if it has been added; `version` is the one at that time. */
  added: z.object({ agent: agentIdSchema, version: z.string() }).exactOptional(),
  /** Hash of everything that decides what runs. Adding an entry confirms what was shown. */
  hash: z.string(),
});
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>;

/** The catalogue for the settings page. */
export const agentCatalogueSchema = z.object({
  entries: z.array(catalogueEntrySchema),
  /** Where the entries come from. */
  origin: z.object({ repository: z.string(), commit: z.string(), date: z.string() }),
  /** The command line that adds a program of the user's own, up to its arguments. Requests never name programs. */
  customCommand: z.array(z.string()).min(1),
});
export type AgentCatalogue = z.infer<typeof agentCatalogueSchema>;

/** Adds an entry as shown; the server takes the command from its own data. */
export const addAgentSchema = z.object({ catalogueId: catalogueIdSchema, hash: z.string().regex(/^[0-9a-f]{64}$/) });
export type AddAgent = z.infer<typeof addAgentSchema>;

/** Enables or disables an added agent. */
export const updateAgentSchema = z.object({ enabled: z.boolean() });
export type UpdateAgent = z.infer<typeof updateAgentSchema>;
