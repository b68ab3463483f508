import type { JsonValue, MessageBody, ModelFailureText, ReasoningEffort, Usage } from "@skein/contracts";
import { formatText } from "../coded-texts/format-text.ts";

/** A tool that the model may call. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  inputSchema: JsonValue;
}

/** One call of a model. */
export interface ModelRequest {
  /** Built by the request builder: valid, paired, system messages first. */
  messages: readonly MessageBody[];
  tools: readonly ToolDefinition[];
  maxOutputTokens?: number;
  /** Ignored by models without this option; if missing, the default of the model applies. */
  reasoningEffort?: ReasoningEffort;
}

/**
 * Blocks are numbered from 0 in the order in which they begin; deltas of different blocks may interleave.
 * Exactly one `end` closes a stream that did not throw.
 */
export type ModelEvent =
  | { type: "text-delta"; index: number; text: string }
  | { type: "reasoning-delta"; index: number; text: string }
  | { type: "reasoning-end"; index: number; signature?: string; providerData?: JsonValue }
  /** Complete: arguments that arrive in fragments are joined by the provider. */
  | { type: "tool-call"; index: number; id: string; name: string; arguments: string; providerData?: JsonValue }
  | { type: "end"; stopReason: "end" | "tool-calls" | "length" | "refusal"; usage: Usage };

/** One model of one provider. Failures are thrown as `ModelError`; an aborted signal throws its reason. */
export interface Model {
  /** `<provider>/<model>`. */
  readonly id: string;
  readonly contextWindow: number;
  stream(request: ModelRequest, options: { signal: AbortSignal }): AsyncIterable<ModelEvent>;
}

/** The kind determines what a caller can do about a failure. */
export type ModelErrorKind =
  | "rate-limit"
  /** The account's quota is used up: waiting does not help. */
  | "quota"
  | "overloaded"
  | "context-too-long"
  | "bad-request"
  | "auth"
  | "network"
  | "unknown-model"
  | "other";

/** A part of a request that a provider rejected. */
export type ModelErrorPart = "effort" | "reasoning" | "image" | "tool-call" | "tool-definition" | "text";

/** A call of a model failed. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  /** Set when the provider reported how long to wait. */
  readonly retryAfterMs: number | undefined;
  /** The rejected part of the request, if the provider reported one: the rest may be accepted without it. */
  readonly part: ModelErrorPart | undefined;
  /** What failed; `message` is the same in English. */
  readonly text: ModelFailureText;

  constructor(
    kind: ModelErrorKind,
    text: ModelFailureText,
    options: { cause?: unknown; retryAfterMs?: number | undefined; part?: ModelErrorPart | undefined } = {},
  ) {
    super(formatText(text), { cause: options.cause });
    this.text = text;
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.part = options.part;
  }
}
