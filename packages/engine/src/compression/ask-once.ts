import type { MessageBody, Usage } from "@skein/contracts";
import type { Model } from "../ports/model.ts";

/** `usage` is what the model reported: unusable answers cost, too. */
export type ModelAnswer =
  | { ok: true; text: string; usage: Usage }
  | { ok: false; reason: "empty" | "cut-short" | "refused" | "model-failed" | "timed-out" | "cancelled"; usage: Usage; error?: unknown };

/** Asks a model once. Never throws, and never waits longer than the signals, even if the model ignores them. */
export async function askOnce(
  model: Model,
  messages: readonly MessageBody[],
  { cancel, deadline, maxOutputTokens }: { cancel: AbortSignal; deadline: AbortSignal; maxOutputTokens: number },
): Promise<ModelAnswer> {
  const signal = AbortSignal.any([cancel, deadline]);
  try {
    return await untilAborted(readAnswer(model, messages, { signal, maxOutputTokens }), signal);
  } catch (error) {
    if (cancel.aborted) return { ok: false, reason: "cancelled", usage: {} };
    return deadline.aborted ? { ok: false, reason: "timed-out", usage: {} } : { ok: false, reason: "model-failed", usage: {}, error };
  }
}

async function readAnswer(
  model: Model,
  messages: readonly MessageBody[],
  { signal, maxOutputTokens }: { signal: AbortSignal; maxOutputTokens: number },
): Promise<ModelAnswer> {
  let text = "";
  let usage: Usage = {};
  for await (const event of model.stream({ messages, tools: [], maxOutputTokens }, { signal })) {
    if (event.type === "text-delta") text += event.text;
    if (event.type !== "end") continue;
    usage = event.usage;
    if (event.stopReason === "refusal") return { ok: false, reason: "refused", usage };
    // A truncated answer would pass for a complete one: its missing part would be lost silently.
    if (event.stopReason === "length") return { ok: false, reason: "cut-short", usage };
  }
  return text.trim() === "" ? { ok: false, reason: "empty", usage } : { ok: true, text: text.trim(), usage };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}
