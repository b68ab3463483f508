import type { JsonValue } from "@skein/contracts";
import type { ModelErrorKind } from "@skein/engine";

export interface ScriptedToolCall {
  name: string;
  /** A string is sent verbatim, so that broken JSON can be scripted. */
  arguments: JsonValue;
}

/** One answer of a scripted model: reasoning, then text, then calls; or, after those, a failure. */
export interface ScriptedResponse {
  reasoning?: string | undefined;
  text?: string | undefined;
  toolCalls?: readonly ScriptedToolCall[] | undefined;
  error?: { kind: ModelErrorKind; message: string; retryAfterMs?: number | undefined } | undefined;
  /** In US dollars; default: nothing. */
  costUsd?: number | undefined;
  /** Before the first chunk. */
  startDelayMs?: number | undefined;
  /** Between chunks; between 12 and 25 when absent. */
  chunkDelayMs?: number | undefined;
}
