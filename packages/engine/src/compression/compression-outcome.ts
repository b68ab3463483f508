import type { Summary, Usage } from "@skein/contracts";
import type { Pruning } from "./pruning.ts";
import type { WrittenSummary } from "./write-summary.ts";

/** Why there is no new summary. */
export type SummaryFailure =
  | Extract<WrittenSummary, { ok: false }>["reason"]
  | "no-model"
  | "nothing-to-summarize"
  | "does-not-shrink"
  | "too-long"
  | "switched-off"
  | "not-automatic";

/**
 * `message` is for users. Tokens are those of the messages of the next request, before and after; `usage` is what the
 * models took that were asked for a summary.
 */
export type CompressionOutcome =
  | {
      type: "compressed";
      summary: Summary;
      pruning: Pruning | null;
      fits: boolean;
      tokensBefore: number;
      tokensAfter: number;
      usage: Usage;
      message: string;
    }
  | {
      type: "pruned";
      cause: SummaryFailure;
      pruning: Pruning;
      fits: boolean;
      tokensBefore: number;
      tokensAfter: number;
      usage: Usage;
      message: string;
    }
  | { type: "not-needed"; tokens: number; message: string }
  | { type: "failed"; reason: SummaryFailure | "changed-meanwhile"; fits: boolean; tokens: number; usage: Usage; message: string };

const failures: Record<SummaryFailure, string> = {
  "no-model": "No model is set for summaries",
  "nothing-to-summarize": "Nothing but the current request is left to summarize",
  "does-not-shrink": "The summary was not shorter than what it stands for",
  "too-long": "The conversation is too long for the model that writes summaries",
  empty: "The model wrote no summary",
  "cut-short": "The summary was cut off before its end",
  refused: "The model refused to write a summary",
  "model-failed": "The model that writes summaries failed",
  "timed-out": "The model that writes summaries took too long",
  cancelled: "The compression was cancelled",
  "switched-off": "Compression is switched off",
  "not-automatic": "Conversations are not compressed automatically",
};

export function describeFailure(reason: SummaryFailure): string {
  return failures[reason];
}

function describeNoFit(reason?: SummaryFailure | "changed-meanwhile"): string {
  const first = reason === "not-automatic" ? "send /compact, start a new attempt" : "start a new attempt";
  return `The next request is still too long: ${first}, or choose a model with a larger window.`;
}

export function toCompressed(input: Omit<Extract<CompressionOutcome, { type: "compressed" }>, "type" | "message">): CompressionOutcome {
  const count = input.summary.messageIds.length;
  const text = `A summary stands for ${count} ${count === 1 ? "message" : "messages"} from now on: ${input.tokensBefore} tokens became ${input.tokensAfter}. ${describeWriter(input.summary.model, input.usage)}`;
  return { type: "compressed", ...input, message: input.fits ? text : `${text} ${describeNoFit()}` };
}

/** What it cost, as far as the provider reported it. */
function describeWriter(model: string, { inputTokens, outputTokens, costUsd }: Usage): string {
  const tokens = inputTokens === undefined || outputTokens === undefined ? "" : ` from ${inputTokens} tokens in ${outputTokens}`;
  return `Written by ${model}${tokens}${describeCost(costUsd)}.`;
}

function describeCost(costUsd: number | undefined): string {
  if (costUsd === undefined || costUsd === 0) return "";
  return costUsd < 0.0001 ? " for less than $0.0001" : ` for $${costUsd < 0.01 ? costUsd.toPrecision(2) : costUsd.toFixed(2)}`;
}

export function toPruned(
  input: Omit<Extract<CompressionOutcome, { type: "pruned" }>, "type" | "message"> & { prunedCount: number },
): CompressionOutcome {
  const { prunedCount, ...outcome } = input;
  const outputs = prunedCount === 1 ? "the oldest tool output is" : `the ${prunedCount} oldest tool outputs are`;
  const text = `${describeFailure(input.cause)}, so ${outputs} left out of requests: ${input.tokensBefore} tokens became ${input.tokensAfter}. Nothing was deleted.`;
  return { type: "pruned", ...outcome, message: input.fits ? text : `${text} ${describeNoFit(input.cause)}` };
}

export function toFailed(input: Omit<Extract<CompressionOutcome, { type: "failed" }>, "type" | "message">): CompressionOutcome {
  const why =
    input.reason === "changed-meanwhile" ? "The conversation was compressed by someone else meanwhile" : describeFailure(input.reason);
  const hint = input.reason === "switched-off" ? " Switch it on in the settings, under Conversations, then send /compact." : "";
  return { type: "failed", ...input, message: `${why}. Nothing was changed.${hint}${input.fits ? "" : ` ${describeNoFit(input.reason)}`}` };
}
