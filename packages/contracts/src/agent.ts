import { z } from "zod";
import { agentHintSchema } from "./coded-texts/agent-hint.ts";

/** `native`, `claude-code`, `codex`, `gemini`, `opencode`, `acp:<name>` or `command:<name>`. */
export const agentIdSchema = z
  .string()
  .max(100)
  .regex(
    /^(native|claude-code|codex|gemini|opencode|(?:acp|command):[A-Za-z0-9._-]+)$/,
    "expected native, claude-code, codex, gemini, opencode, acp:<name> or command:<name>",
  );
export type AgentId = z.infer<typeof agentIdSchema>;

/** `<provider>/<model>` for the native agent; the agent's own model name for others. */
export const modelIdSchema = z.string().min(1).max(500);

/** A model in a request: it becomes an argument or a field for another program, so it must not look like an option. */
export const requestedModelSchema = modelIdSchema.regex(/^[^\s\p{C}-][^\p{C}]*$/u, "expected a model name, not starting with -");

/** What a working agent may do without asking; also the mode after a plan was approved. */
export const workingModeSchema = z.enum(["ask", "accept-edits", "full"]);
export type WorkingMode = z.infer<typeof workingModeSchema>;

/** `plan`: the agent only reads, and proposes a plan. Approving the plan chooses the working mode. */
export const permissionModeSchema = z.enum(["plan", ...workingModeSchema.options]);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/**
 * Whether an agent supports planning. `enforced`: Skein gives it only tools that read. `own`: by its own plan mode, which it enforces
 * itself. `if-offered`: its sessions may have one; without one the execution fails before anything is sent.
 */
export const planSupportSchema = z.enum(["enforced", "own", "if-offered", "none"]);
export type PlanSupport = z.infer<typeof planSupportSchema>;

/**
 * When a changed system prompt takes effect. `next-message`: with the next message. `new-session-if-offered`: for new attempts, if the
 * installed version supports it; the conversation reports if it does not. `none`: the agent has no system prompt.
 */
export const systemPromptSupportSchema = z.enum(["next-message", "new-session-if-offered", "none"]);
export type SystemPromptSupport = z.infer<typeof systemPromptSupportSchema>;

/** How much a model reasons before it answers; mapped to each provider's own parameter. */
export const reasoningEffortSchema = z.enum(["low", "medium", "high"]);
export type ReasoningEffort = z.infer<typeof reasoningEffortSchema>;

/** A model that an agent offers. */
export const modelInfoSchema = z.object({
  id: modelIdSchema,
  name: z.string(),
  description: z.string().optional(),
  /** Context window in tokens. */
  contextWindow: z.int().positive().optional(),
  outputLimit: z.int().positive().optional(),
  /** US dollars per million tokens. */
  price: z
    .object({ input: z.number(), output: z.number(), cacheRead: z.number().optional(), cacheWrite: z.number().optional() })
    .optional(),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/**
 * What permission modes mean for an agent. `asks`: it asks, and Skein answers by the mode. `sandbox`: the same, and what needs no
 * approval runs in the agent's own sandbox. `if-it-asks`: it may ask, which is not known in advance. `none`: it never asks, so every mode
 * is `full`.
 */
export const permissionControlSchema = z.enum(["asks", "sandbox", "if-it-asks", "none"]);
export type PermissionControl = z.infer<typeof permissionControlSchema>;

/** An agent that is defined by its command in config.json. */
export const addedAgentSchema = z.object({
  /** The command, without secrets. */
  command: z.array(z.string()),
  /** Names of the variables that are set for it. */
  variables: z.array(z.string()),
  enabled: z.boolean(),
  /** Its catalogue entry. `latest` is the version that this release of Skein would add. */
  catalogue: z.object({ id: z.string(), version: z.string(), latest: z.string().exactOptional() }).exactOptional(),
});
export type AddedAgent = z.infer<typeof addedAgentSchema>;

/** Features that clients offer for an agent. */
export const agentCapabilitiesSchema = z.object({
  /** Skein summarizes its earlier messages (`/compact`), which can be undone. Other agents compress their own sessions. */
  compressesHistory: z.boolean(),
});
export type ClientCapabilities = z.infer<typeof agentCapabilitiesSchema>;

/** An agent, and whether it can be used on this machine. */
export const agentInfoSchema = z.object({
  id: agentIdSchema,
  name: z.string(),
  available: z.boolean(),
  version: z.string().optional(),
  /** Path of its program. */
  path: z.string().optional(),
  /** Why it is not available and what to do, in English; `hintText` is the same as data. */
  hint: z.string().optional(),
  hintText: agentHintSchema.optional(),
  models: z.array(modelInfoSchema),
  /** Providers whose models cannot be used here, each with a hint. */
  missing: z.array(z.object({ name: z.string(), hint: z.string(), hintText: agentHintSchema.optional() })).optional(),
  defaultModel: modelIdSchema.optional(),
  permissionControl: permissionControlSchema.optional(),
  planSupport: planSupportSchema.optional(),
  systemPromptSupport: systemPromptSupportSchema.optional(),
  /** Its existing sessions may be listed and continued; whether it supports that is known after a request. */
  listsSessions: z.boolean().optional(),
  capabilities: agentCapabilitiesSchema.optional(),
  added: addedAgentSchema.exactOptional(),
});
export type AgentInfo = z.infer<typeof agentInfoSchema>;
