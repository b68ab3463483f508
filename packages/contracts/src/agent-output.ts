import { z } from "zod";
import { messageTextSchema } from "./coded-texts/coded-text.ts";
import { modelFailureTextSchema } from "./coded-texts/notice-text.ts";
import { messageIdSchema, summaryIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";
import { imagePartSchema } from "./message.ts";
import { permissionGrantSchema } from "./permission-grant.ts";
import { sessionIdSchema } from "./session-id.ts";
import { sessionOptionsSchema } from "./session-options.ts";
import { compressionSchema } from "./summary.ts";
import { toolExecutionEndStateSchema } from "./tool-summary.ts";
import { usageSchema } from "./usage.ts";

/*
 * What every agent's output is turned into by its adapter; agents' own formats stop there.
 *
 * A block (text, thinking, tool-use) is addressed by the id of the assistant message it belongs to and its index in it.
 * Order: the blocks of a message come in the order of their index; a `delta` adds to its block, a `whole` replaces it;
 * results come in any order, after, between or (badly behaved agents) before their uses; `end` closes an execution, and
 * where an agent reports it more than once (because of work in the background) the last one counts. An execution whose log
 * stops without one was interrupted.
 */

const at = { at: timestampSchema };
const block = {
  messageId: messageIdSchema,
  index: z.int().nonnegative(),
  /** The tool use (a subagent) inside which this was said: shown, but no part of the agent's own messages. */
  parentToolUseId: z.string().optional(),
  ...at,
};

/** Every output by its type. Records of an execution log are made of them (see log-record.ts). */
export const agentOutputs = {
  /** The agent confirmed its session: saved at once, later executions resume it. */
  session: z.object({ type: z.literal("session"), sessionId: sessionIdSchema, model: z.string().optional(), ...at }),
  /** What the agent's session offers to choose from. */
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
    /** The arguments as the model wrote them, where that is not the JSON text of `input`. */
    rawInput: z.string().optional(),
    /** Not the model's call but ours: shown like one, and in no message that a model reads. */
    ofSkein: z.literal(true).optional(),
    providerData: jsonValueSchema.optional(),
    ...block,
  }),
  /** Output of a tool that still runs; `text` is added to what was there. */
  "tool-progress": z.object({ type: z.literal("tool-progress"), toolUseId: z.string(), text: z.string(), ...at }),
  "tool-result": z.object({
    type: z.literal("tool-result"),
    /** Names the result where it cannot be paired and is shown by itself. */
    resultId: messageIdSchema,
    toolUseId: z.string().optional(),
    toolName: z.string().optional(),
    output: z.string(),
    isError: z.boolean(),
    /** Set where the agent reports more than success or failure. */
    state: toolExecutionEndStateSchema.optional(),
    /** What the agent's tool returned in addition to its text; the tool processors read it. */
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
  /** The model call failed in its middle and starts again: what this message had so far is void. */
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
     * What “always” would allow; absent where nothing can be allowed permanently. A grant that cannot be read (an agent that
     * was started by an earlier version) is none: the question itself must not be lost.
     */
    grant: permissionGrantSchema.optional().catch(undefined),
    /** The id that the agent gave its question, if it is not the tool use id. The adapter needs it to answer. */
    requestId: z.string().optional(),
    ...at,
  }),
  /** The agent took its question back: an answer to it is ignored. */
  "approval-withdrawn": z.object({ type: z.literal("approval-withdrawn"), toolUseId: z.string(), ...at }),
  /** A message of the user that reached the agent while it worked. */
  "user-message": z.object({
    type: z.literal("user-message"),
    messageId: messageIdSchema,
    text: z.string(),
    images: z.array(imagePartSchema).optional(),
    ...at,
  }),
  /** The conversation became too long for its requests: what replaces its older part from now on. `text` reports it to the user. */
  compression: z.object({
    type: z.literal("compression"),
    messageId: messageIdSchema,
    text: messageTextSchema,
    /** What was active when it was made: it counts only while that is so. */
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
    /** `interrupted`: not finished, and nothing went wrong. */
    status: z.enum(["success", "failed", "cancelled", "interrupted"]),
    /** Why, when it did not succeed. */
    reason: messageTextSchema.optional(),
    /** `session-not-found`: the agent no longer knows the session it was to resume. `step-limit`, `cost-limit`: see `executionEndCodeSchema`. */
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
  agentOutputs.compression,
  agentOutputs.notice,
  agentOutputs.error,
  agentOutputs.end,
  agentOutputs.raw,
]);
export type AgentOutput = z.infer<typeof agentOutputSchema>;
