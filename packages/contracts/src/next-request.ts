import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { problemTextSchema } from "./coded-texts/problem-text.ts";
import { attemptIdSchema } from "./ids.ts";
import { jsonValueSchema } from "./json.ts";

/* What the model sees: the next request of an attempt, as it would be sent. */

/** The format of a request. `scripted` is Skein's own neutral format, for the built-in models. */
export const requestProviderSchema = z.enum(["anthropic", "openai-responses", "openai-chat", "gemini", "scripted"]);
export type RequestProvider = z.infer<typeof requestProviderSchema>;

/** One step of the request builder, and the number of messages after it. */
export const requestStepSchema = z.object({
  step: z.enum(["compression", "filtering", "tool-pairs", "system-prompts", "validation"]),
  messages: z.int().nonnegative(),
});

/** A tool as the request describes it. */
export const requestToolSchema = z.object({ name: z.string(), description: z.string(), inputSchema: jsonValueSchema });

/** One share of the context window. Tokens are estimates, calibrated with the provider's figures for earlier requests. */
export const requestPartSchema = z.object({
  part: z.enum(["system", "tools", "summary", "user", "assistant", "tool"]),
  tokens: z.int().nonnegative(),
  /** Number of messages, or tools. */
  count: z.int().nonnegative(),
});
export type RequestPart = z.infer<typeof requestPartSchema>;

/** What the agent does before it sends the request, because it is too long: the request shown is the one before that. */
export const compressionForecastSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("summarize"),
    reason: z.enum(["message-count", "token-ratio"]),
    /** Messages that the summary would replace, besides those of the current one. */
    messages: z.int().nonnegative(),
    /** Their tokens, with the current summary if the new one replaces it. */
    tokens: z.int().nonnegative(),
    replacesSummary: z.boolean(),
    keptMessages: z.int().nonnegative(),
  }),
  /** Old tool outputs are left out; `outputs` is 0 if there are none. `fits`: the request can then be sent. */
  z.object({
    type: z.literal("prune"),
    outputs: z.int().nonnegative(),
    tokensBefore: z.int().nonnegative(),
    tokensAfter: z.int().nonnegative(),
    fits: z.boolean(),
  }),
]);
export type CompressionForecast = z.infer<typeof compressionForecastSchema>;

/** The native agent's description of its next request. */
const describedRequestSchema = z.object({
  provider: requestProviderSchema,
  /** Of the attempt's own model. */
  defaultProvider: requestProviderSchema,
  /** The model in the body: the attempt's own, or the default model of another provider. */
  model: z.string(),
  steps: z.array(requestStepSchema),
  system: z.string(),
  tools: z.array(requestToolSchema),
  /** MCP servers whose tools are missing here: they are known after an execution has used the server. */
  unknownMcpServers: z.array(z.string()),
  parts: z.array(requestPartSchema),
  /** Sum of the parts. */
  tokens: z.int().nonnegative(),
  /** Context window of the model, in tokens. */
  window: z.int().positive(),
  /** Null: it is sent unchanged. */
  compression: compressionForecastSchema.nullable(),
});
export type DescribedRequest = z.infer<typeof describedRequestSchema>;

/** The first line that a preview program prints. If it is `ok`, the second is the body of the request, which may be long. */
export const requestPreviewSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), request: describedRequestSchema }),
  z.object({ ok: z.literal(false), problem: problemTextSchema }),
]);
export type RequestPreview = z.infer<typeof requestPreviewSchema>;

/** The request that Skein's own agent would send next. */
export const builtRequestSchema = describedRequestSchema.extend({
  type: z.literal("request"),
  attemptId: attemptIdSchema,
  /** `placeholder`: it ends with a placeholder for the next message. `none`: a running execution continues without one. */
  nextMessage: z.enum(["given", "placeholder", "none"]),
  /** The body that the provider's SDK would send, parsed. */
  body: jsonValueSchema,
});
export type BuiltRequest = z.infer<typeof builtRequestSchema>;

/** Other agents build their own requests; Skein keeps a transcript, which starts a new session of any agent. */
export const agentTranscriptSchema = z.object({
  type: z.literal("transcript"),
  attemptId: attemptIdSchema,
  agent: agentIdSchema,
  agentName: z.string(),
  /** Null if there are no messages yet. */
  transcript: z.string().nullable(),
  /** Estimated. */
  tokens: z.int().nonnegative(),
});
export type AgentTranscript = z.infer<typeof agentTranscriptSchema>;

/** The next request of the native agent, or the transcript for another agent. */
export const nextRequestSchema = z.discriminatedUnion("type", [builtRequestSchema, agentTranscriptSchema]);
export type NextRequest = z.infer<typeof nextRequestSchema>;
