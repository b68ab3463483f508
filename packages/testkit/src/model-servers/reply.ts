import type { RecordedRequest } from "./recorded-request.ts";

export interface ToolCallReply {
  /** Issued in the provider's own form when left out. */
  id?: string;
  name: string;
  /** Of a tool of Responses that is in a group, such as those of an MCP server. */
  namespace?: string;
  /** A string is sent as it is, so that a script can send arguments that are not JSON. */
  arguments: Record<string, unknown> | string;
  /** In how many pieces the arguments are streamed; 2 by default. Gemini sends a call whole. */
  fragments?: number;
  /** A custom tool of Responses: `arguments` is its free-form input. */
  custom?: true;
}

/** Usage of a turn, in one form for all providers: input includes cached tokens, output includes reasoning. */
export interface UsageReply {
  inputTokens?: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
}

export interface ErrorReply {
  status: number;
  /** Anthropic's and OpenAI's `error.type`, Gemini's `error.status`; chosen by the HTTP status when left out. */
  type?: string;
  /** OpenAI's `error.code`. */
  code?: string | null;
  /** OpenAI's `error.param`. */
  param?: string | null;
  message?: string;
  retryAfterSec?: number;
  headers?: Record<string, string>;
  /** Sent inside a stream that began with status 200, after the reply's content. */
  midStream?: true;
}

/**
 * One answer of the model. Content is sent in the order reasoning, text or refusal, tool calls.
 * A list for `text` or `reasoning` gives the exact pieces that are streamed.
 */
export interface Reply {
  reasoning?: string | readonly string[];
  /** Anthropic only: opaque data of a redacted thinking block. */
  redactedReasoning?: string;
  text?: string | readonly string[];
  refusal?: string;
  toolCalls?: readonly ToolCallReply[];
  usage?: UsageReply;
  /** The provider's own value; chosen by the content if left out. */
  stopReason?: string;
  /** Before the first byte. */
  delayMs?: number;
  /** Between the events of the stream. */
  chunkDelayMs?: number;
  /** Destroys the socket after exactly this many bytes of the body. */
  cutAfterBytes?: number;
  error?: ErrorReply;
  /** Never ends: after its content when it has any, otherwise without a first byte. */
  hang?: true;
}

export type Step = Reply | ((request: RecordedRequest, n: number) => Reply | Promise<Reply>);

/** The nth valid request, from 0, gets the nth step; a function is called for every step. */
export type Script = readonly Step[] | ((request: RecordedRequest, n: number) => Reply | Promise<Reply>);

export async function nextReply(script: Script, request: RecordedRequest, n: number): Promise<Reply> {
  const step = typeof script === "function" ? script : script[n];
  // Not a 5xx: a client would keep retrying instead of showing it.
  if (step === undefined) return { error: { status: 400, message: `The script of this model server has no step ${n}.` } };
  if (typeof step !== "function") return step;
  try {
    return await step(request, n);
  } catch (error) {
    return { error: { status: 400, message: `Step ${n} of the script of this model server threw: ${String(error)}` } };
  }
}
