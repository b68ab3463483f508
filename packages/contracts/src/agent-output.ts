import { z } from "zod";
import { messageTextSchema } from "./coded-texts/coded-text.ts";
import { modelFailureTextSchema } from "./coded-texts/notice-text.ts";
import { messageIdSchema, summaryIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";
import { imagePartSchema } from "./message.ts";
import { permissionGrantSchema } from "./permission-grant.ts";
import { providerLimitSchema } from "./provider-limit.ts";
import { sessionIdSchema } from "./session-id.ts";
import { sessionOptionsSchema } from "./session-options.ts";
import { compressionSchema } from "./summary.ts";
import { toolExecutionEndStateSchema } from "./tool-summary.ts";
import { usageSchema } from "./usage.ts";

/*
 * The output of every agent, as its adapter reports it; agents' own formats end there.
 *
 * A block (text, thinking, tool-use) is addressed by the id of its assistant message and its index in it. Order: the blocks of a message
 * come in index order; a `delta` extends its block, a `whole` replaces it; results come in any order, after, between or (badly behaved
 * agents) before their uses; `end` ends an execution; if an agent reports several (because of background work), the last one counts. An
 * execution whose log stops without one was interrupted.
 */

const at = { at: timestampSchema };
const block = {
  messageId: messageIdSchema,
  index: z.int().nonnegative(),
  /** The tool use (a subagent) that this belongs to: shown, but not part of the agent's own messages. */
  parentToolUseId: z.string().optional(),
  ...at,
};

/** The most that a model call can use. Absent: not known. */
export const callBoundSchema = z.object({
  costUsd: z.number().nonnegative().exactOptional(),
  tokens: z.number().nonnegative().exactOptional(),
});
export type CallBound = z.infer<typeof callBoundSchema>;

/** A model call of the native agent. */
const call = {
  callId: z.string(),
  /** What all calls of the execution have used so far. */
  usage: usageSchema,
  /** Calls that have permission and are not over. */
  open: z.array(z.string()),
  ...at,
};

/** All outputs by type. Records of an execution log consist of them (see log-record.ts). */
export const agentOutputs = {
  /** The agent confirmed its session: saved immediately, resumed by later executions. */
  session: z.object({ type: z.literal("session"), sessionId: sessionIdSchema, model: z.string().optional(), ...at }),
  /** The choices of the agent's session. */
  "session-options": z.object({ type: z.literal("session-options"), options: sessionOptionsSchema, ...at }),
  text: z.object({ type: z.literal("text"), mode: z.enum(["delta", "whole"]), text: z.string(), ...block }),
  thinking: z.object({
    type: z.literal("thinking"),
    mode: z.enum(["delta", "whole"]),
    text: z.string(),
    signature: z.string().optional(),
    providerData: jsonValueSchema.optional(),
    ...block,
  }),
  "tool-use": z.object({
    type: z.literal("tool-use"),
    toolUseId: z.string().optional(),
    toolName: z.string(),
    input: jsonValueSchema,
    /** The arguments as the model wrote them, if they are not the JSON text of `input`. */
    rawInput: z.string().optional(),
    /** Not a call of the model but of Skein: displayed like one, and not part of any message for a model. */
    ofSkein: z.literal(true).optional(),
    providerData: jsonValueSchema.optional(),
    ...block,
  }),
  /** Output of a running tool; `text` is appended. */
  "tool-progress": z.object({ type: z.literal("tool-progress"), toolUseId: z.string(), text: z.string(), ...at }),
  "tool-result": z.object({
    type: z.literal("tool-result"),
    /** Id of the result, if it cannot be paired and is shown by itself. */
    resultId: messageIdSchema,
    toolUseId: z.string().optional(),
    toolName: z.string().optional(),
    output: z.string(),
    isError: z.boolean(),
    /** Set if the agent reports more than success or failure. */
    state: toolExecutionEndStateSchema.optional(),
    /** Structured result of the agent's tool in addition to its text; read by the tool processors. */
    structured: jsonValueSchema.optional(),
    images: z.array(imagePartSchema).optional(),
    ...at,
  }),
  /** The assistant message is complete. */
  "message-end": z.object({
    type: z.literal("message-end"),
    messageId: messageIdSchema,
    model: z.string().optional(),
    stopReason: z.string().optional(),
    usage: usageSchema.optional(),
    ...at,
  }),
  /** The model call failed and restarts: this message's content so far is void. */
  retry: z.object({
    type: z.literal("retry"),
    messageId: messageIdSchema,
    attempt: z.int().positive(),
    delayMs: z.int().nonnegative(),
    reason: modelFailureTextSchema,
    ...at,
  }),
  "approval-request": z.object({
    type: z.literal("approval-request"),
    toolUseId: z.string(),
    toolName: z.string(),
    input: jsonValueSchema,
    reason: messageTextSchema.optional(),
    /**
     * What “always” would allow; absent if nothing can be granted. An unreadable grant (of an agent that an earlier version started)
     * counts as none: the question itself must not be lost.
     */
    grant: permissionGrantSchema.optional().catch(undefined),
    /** The agent's id of its question, if it differs from the tool use id. The adapter needs it to answer. */
    requestId: z.string().optional(),
    ...at,
  }),
  /** The agent withdrew its question: answers to it are ignored. */
  "approval-withdrawn": z.object({ type: z.literal("approval-withdrawn"), toolUseId: z.string(), ...at }),
  /**
   * What the agent has used since the execution began, as far as it reports that while it works. Each replaces the one before. `request`:
   * the last request to a model, from which a cost is computed if the agent reports none.
   */
  usage: z.object({
    type: z.literal("usage"),
    usage: usageSchema,
    request: z.object({ model: z.string(), usage: usageSchema }).optional(),
    ...at,
  }),
  /** The provider accepts no more requests. Null: it does again. */
  limit: z.object({ type: z.literal("limit"), limit: providerLimitSchema.nullable(), ...at }),
  /** The native agent waits for permission to call a model; `atMost` is what the call can use, as far as that is known. */
  "call-request": z.object({ type: z.literal("call-request"), atMost: callBoundSchema, ...call }),
  /** A call that had permission is over. */
  "call-end": z.object({ type: z.literal("call-end"), ...call }),
  /** A user message that the agent received while it worked. */
  "user-message": z.object({
    type: z.literal("user-message"),
    messageId: messageIdSchema,
    text: z.string(),
    images: z.array(imagePartSchema).optional(),
    ...at,
  }),
  /** The conversation was too long: `summary` replaces its older part in requests from now on. `text` reports it to the user. */
  compression: z.object({
    type: z.literal("compression"),
    messageId: messageIdSchema,
    text: messageTextSchema,
    /** The summary that was active when it was made: it applies only while that is still so. */
    expectedSummaryId: summaryIdSchema.nullable(),
    ...compressionSchema.shape,
    ...at,
  }),
  notice: z.object({ type: z.literal("notice"), messageId: messageIdSchema, text: messageTextSchema, code: z.string().optional(), ...at }),
  error: z.object({
    type: z.literal("error"),
    messageId: messageIdSchema,
    text: messageTextSchema,
    code: z.string().optional(),
    hint: messageTextSchema.optional(),
    ...at,
  }),
  end: z.object({
    type: z.literal("end"),
    /** `interrupted`: not finished, but nothing failed. */
    status: z.enum(["success", "failed", "cancelled", "interrupted"]),
    /** The reason, if it did not succeed. */
    reason: messageTextSchema.optional(),
    /** `session-not-found`: the agent no longer has the session to resume. `step-limit`, `cost-limit`: see `executionEndCodeSchema`. */
    code: z.string().optional(),
    /** Of the whole execution so far. */
    usage: usageSchema.optional(),
    ...at,
  }),
  /** A line that no schema reads: kept and shown, never an exception. */
  raw: z.object({ type: z.literal("raw"), messageId: messageIdSchema, text: z.string(), reason: z.string(), ...at }),
} as const;

/** One output of an agent, as its adapter reports it. */
export const agentOutputSchema = z.discriminatedUnion("type", [
  agentOutputs.session,
  agentOutputs["session-options"],
  agentOutputs.text,
  agentOutputs.thinking,
  agentOutputs["tool-use"],
  agentOutputs["tool-progress"],
  agentOutputs["tool-result"],
  agentOutputs["message-end"],
  agentOutputs.retry,
  agentOutputs["approval-request"],
  agentOutputs["approval-withdrawn"],
  agentOutputs["user-message"],
  agentOutputs.usage,
  agentOutputs.limit,
  agentOutputs["call-request"],
  agentOutputs["call-end"],
  agentOutputs.compression,
  agentOutputs.notice,
  agentOutputs.error,
  agentOutputs.end,
  agentOutputs.raw,
]);
export type AgentOutput = z.infer<typeof agentOutputSchema>;
