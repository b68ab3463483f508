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
  /** What is run, word for word. */
  command: z.array(z.string()).min(1),
  /** Variables that are set for it. */
  environment: z.record(z.string(), z.string()),
  /** Where its program, npx or uvx was found; null when it is not on this machine. */
  programPath: z.string().nullable(),
  /** The download for this machine, where the user installs the program. */
  download: z.string().exactOptional(),
  /** The agent that Skein drives by itself in its place. */
  builtIn: agentIdSchema.exactOptional(),
  /** It has been added. `version` is the one that was added. */
  added: z.object({ agent: agentIdSchema, version: z.string() }).exactOptional(),
  /** Of everything that decides what runs: adding an entry names what was shown. */
  hash: z.string(),
});
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>;

/** The catalogue, as the settings page shows it. */
export const agentCatalogueSchema = z.object({
  entries: z.array(catalogueEntrySchema),
  /** Where the entries come from. */
  origin: z.object({ repository: z.string(), commit: z.string(), date: z.string() }),
  /** The command that adds a program of the user's own, up to its arguments. A request never names a program. */
  customCommand: z.array(z.string()).min(1),
});
export type AgentCatalogue = z.infer<typeof agentCatalogueSchema>;

/** “Added, as shown”: the server takes the command from its own data. */
export const addAgentSchema = z.object({ catalogueId: catalogueIdSchema, hash: z.string().regex(/^[0-9a-f]{64}$/) });
export type AddAgent = z.infer<typeof addAgentSchema>;

/** Switches an added agent on or off. */
export const updateAgentSchema = z.object({ enabled: z.boolean() });
export type UpdateAgent = z.infer<typeof updateAgentSchema>;
