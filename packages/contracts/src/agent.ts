import { z } from "zod";

export const agentIdSchema = z
  .string()
  .max(100)
  .regex(
    /^(native|claude-code|codex|gemini|opencode|(?:acp|command):[A-Za-z0-9._-]+)$/,
    "expected native, claude-code, codex, gemini, opencode, acp:<name> or command:<name>",
  );
export type AgentId = z.infer<typeof agentIdSchema>;

/** `<provider>/<model>` for the native agent; what the agent itself understands for the others. */
export const modelIdSchema = z.string().min(1).max(500);

/** A model as a request names it: it becomes an argument or a field for another program, so it never looks like an option. */
export const requestedModelSchema = modelIdSchema.regex(/^[^\s\p{C}-][^\p{C}]*$/u, "expected a model name, not starting with -");

export const permissionModeSchema = z.enum(["ask", "accept-edits", "full"]);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/** How much a model thinks before it answers; each provider asks for it in its own way. */
export const reasoningEffortSchema = z.enum(["low", "medium", "high"]);
export type ReasoningEffort = z.infer<typeof reasoningEffortSchema>;

/** The agent of a new attempt, and its model; left out, the agent's default. */
export const agentChoiceSchema = z.object({ agent: agentIdSchema, model: requestedModelSchema.optional() });
export type AgentChoice = z.infer<typeof agentChoiceSchema>;
/** With the model that it would start with; null where the agent chooses. */
export const checkedAgentSchema = z.object({ agent: agentIdSchema, model: modelIdSchema.nullable() });
export type CheckedAgent = z.infer<typeof checkedAgentSchema>;

export const modelInfoSchema = z.object({
  id: modelIdSchema,
  name: z.string(),
  description: z.string().optional(),
  /** In tokens. */
  contextWindow: z.int().positive().optional(),
  outputLimit: z.int().positive().optional(),
  /** US dollars per million tokens. */
  price: z
    .object({ input: z.number(), output: z.number(), cacheRead: z.number().optional(), cacheWrite: z.number().optional() })
    .optional(),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/**
 * What permission modes mean for an agent. `asks`: it asks, and Skein answers by the mode. `sandbox`: so it does, and what needs no
 * question runs in a sandbox of its own. `if-it-asks`: it may ask, and nobody knows beforehand. `none`: it never asks, so that every
 * mode is `full`.
 */
export const permissionControlSchema = z.enum(["asks", "sandbox", "if-it-asks", "none"]);
export type PermissionControl = z.infer<typeof permissionControlSchema>;

export const agentInfoSchema = z.object({
  id: agentIdSchema,
  name: z.string(),
  available: z.boolean(),
  version: z.string().optional(),
  /** Where its program was found. */
  path: z.string().optional(),
  /** What to do when it is not available: one sentence with the command that mends it. */
  hint: z.string().optional(),
  models: z.array(modelInfoSchema),
  /** Providers whose models are not usable here, each with what to do. */
  missing: z.array(z.object({ name: z.string(), hint: z.string() })).optional(),
  defaultModel: modelIdSchema.optional(),
  permissionControl: permissionControlSchema.optional(),
});
export type AgentInfo = z.infer<typeof agentInfoSchema>;
