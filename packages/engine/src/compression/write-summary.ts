import type { MessageBody } from "@skein/contracts";
import type { Model } from "../ports/model.ts";

export type WrittenSummary =
  | { ok: true; text: string }
  | { ok: false; reason: "empty" | "cut-short" | "refused" | "model-failed" | "timed-out" | "cancelled"; error?: unknown };

/** Asks a model once. Never throws, and never waits longer than the signals, also for a model that does not listen to them. */
export async function writeSummary(
  model: Model,
  messages: readonly MessageBody[],
  { cancel, deadline, maxOutputTokens }: { cancel: AbortSignal; deadline: AbortSignal; maxOutputTokens: number },
): Promise<WrittenSummary> {
  const signal = AbortSignal.any([cancel, deadline]);
  try {
    return await untilAborted(readSummary(model, messages, { signal, maxOutputTokens }), signal);
  } catch (error) {
    if (cancel.aborted) return { ok: false, reason: "cancelled" };
    return deadline.aborted ? { ok: false, reason: "timed-out" } : { ok: false, reason: "model-failed", error };
  }
}

async function readSummary(
  model: Model,
  messages: readonly MessageBody[],
  { signal, maxOutputTokens }: { signal: AbortSignal; maxOutputTokens: number },
): Promise<WrittenSummary> {
  let text = "";
  for await (const event of model.stream({ messages, tools: [], maxOutputTokens }, { signal })) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "end" && event.stopReason === "refusal") return { ok: false, reason: "refused" };
    // Half a summary would pass for a whole one: what it does not come to is lost without a trace.
    if (event.type === "end" && event.stopReason === "length") return { ok: false, reason: "cut-short" };
  }
  return text.trim() === "" ? { ok: false, reason: "empty" } : { ok: true, text: text.trim() };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}
