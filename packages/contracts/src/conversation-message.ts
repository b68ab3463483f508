import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { storedTextSchema } from "./coded-texts/coded-text.ts";
import { executionIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";
import { toolDetailsSchema } from "./tool-details.ts";
import { storedToolSummarySchema, toolExecutionEndStateSchema } from "./tool-summary.ts";
import { usageSchema } from "./usage.ts";

/*
 * What users see. An id never changes; when its content grows or its tool ends, the same id is sent with a higher revision, so a client
 * keeps the highest revision that it has seen.
 */

const base = z.object({
  id: z.string().min(1),
  role: z.enum(["user", "assistant", "system"]),
  content: z.string(),
  timestamp: timestampSchema,
  revision: z.int().positive(),
});

const origin = z.object({ executionId: executionIdSchema.optional() });

/** The text as data; `content` is the same in English. Absent for texts of others, and in messages of earlier releases. */
const worded = { text: storedTextSchema };

/** An image of a user message: base64 without a `data:` prefix. */
export const imageReferenceSchema = z.object({ mediaType: z.string(), data: z.string() });

/** A file outside of the attempt's folder that a tool changes: in another attempt's folder, or in the user's checkout. */
export const changedElsewhereSchema = z.object({ filePath: z.string(), owner: z.enum(["another-attempt", "checkout"]) });
export type ChangedElsewhere = z.infer<typeof changedElsewhereSchema>;

const toolExecutionBase = origin.extend({
  toolName: z.string(),
  toolUseId: z.string(),
  input: jsonValueSchema,
  /** Output so far while the tool runs, its result after the end. */
  output: z.string(),
  /** Name of the complete output if `output` is truncated: `GET /api/executions/<execution>/outputs/<name>`. */
  outputFile: z.string().optional(),
  /** `content` of the message is the same in English. */
  summary: storedToolSummarySchema,
  details: toolDetailsSchema.optional(),
  /** The user's tool processor that failed to make summary and details: the built-in ones are shown instead (T8). */
  processorFailure: z.object({ file: z.string(), reason: z.string() }).optional(),
  changedElsewhere: z.array(changedElsewhereSchema).optional(),
  /** The tool execution (a subagent) that this one belongs to. */
  parentToolUseId: z.string().optional(),
  /** Ids of messages that this card replaces: a result that was shown before its use arrived. */
  replaces: z.array(z.string()).optional(),
  /** Results that arrived after the end and did not change it: a second result, a result after an interruption. */
  annotations: z.array(z.string()).optional(),
});

/** A tool use and its result: running, or ended with a duration. */
export const toolExecutionSchema = z.discriminatedUnion("state", [
  toolExecutionBase.extend({ state: z.literal("running"), isError: z.literal(false) }),
  toolExecutionBase.extend({ state: toolExecutionEndStateSchema, isError: z.boolean(), durationMs: z.int().nonnegative() }),
]);
export type ToolExecution = z.infer<typeof toolExecutionSchema>;

/** One message of a conversation as users see it. */
export const conversationMessageSchema = z.discriminatedUnion("messageType", [
  base.extend({
    messageType: z.literal("text"),
    metadata: origin
      .extend({
        images: z.array(imageReferenceSchema).optional(),
        /** The user who sent it. */
        by: actorSchema.exactOptional(),
        /** True while this message may grow. */
        streaming: z.boolean().optional(),
        /** The stream broke off here; what was shown is kept. */
        interrupted: z.boolean().optional(),
        /** The tool execution (a subagent) that this belongs to. */
        parentToolUseId: z.string().optional(),
        model: z.string().optional(),
        usage: usageSchema.optional(),
      })
      .optional(),
  }),
  base.extend({
    messageType: z.literal("thinking"),
    metadata: origin
      .extend({
        streaming: z.boolean().optional(),
        interrupted: z.boolean().optional(),
        parentToolUseId: z.string().optional(),
      })
      .optional(),
  }),
  base.extend({
    messageType: z.literal("tool_use"),
    metadata: origin.extend({
      toolName: z.string(),
      toolUseId: z.string().optional(),
      input: jsonValueSchema,
      parentToolUseId: z.string().optional(),
    }),
  }),
  base.extend({
    messageType: z.literal("tool_result"),
    metadata: origin.extend({
      toolName: z.string().optional(),
      toolUseId: z.string().optional(),
      isError: z.boolean(),
      parentToolUseId: z.string().optional(),
      /** How its tool execution ended, if the result is part of one (merge mode `off`). */
      state: toolExecutionEndStateSchema.optional(),
      durationMs: z.int().nonnegative().optional(),
      /** The tool's output, if `content` adds that its result is missing. */
      output: z.string().optional(),
      outputFile: toolExecutionBase.shape.outputFile,
      details: toolDetailsSchema.optional(),
      processorFailure: toolExecutionBase.shape.processorFailure,
      /** It arrived after its tool execution had ended. */
      isLate: z.boolean().optional(),
    }),
  }),
  base.extend({ messageType: z.literal("tool_execution"), metadata: toolExecutionSchema }),
  base.extend({
    messageType: z.literal("error"),
    metadata: origin.extend({ ...worded, code: z.string().optional(), hint: z.string().optional(), hintText: storedTextSchema }).optional(),
  }),
  base.extend({ messageType: z.literal("notice"), metadata: origin.extend({ ...worded, code: z.string().optional() }).optional() }),
  base.extend({
    messageType: z.literal("summary"),
    metadata: origin.extend({ ...worded, summaryId: z.string(), messageCount: z.int().nonnegative() }),
  }),
]);
export type ConversationMessage = z.infer<typeof conversationMessageSchema>;
/** The conversation message of a tool execution, which the UI shows as a card. */
export type ToolExecutionMessage = Extract<ConversationMessage, { messageType: "tool_execution" }>;

/** How a client sees tool uses and results: as one card from the start, as one card after the end, or unmerged (T2). */
export const mergeModeSchema = z.enum(["live", "on-complete", "off"]);
export type MergeMode = z.infer<typeof mergeModeSchema>;
