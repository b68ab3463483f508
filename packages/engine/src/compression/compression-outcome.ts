import type { CompressionFailure, NoticeText, Summary, Usage } from "@skein/contracts";
import { formatText } from "../coded-texts/format-text.ts";
import type { Pruning } from "./pruning.ts";

/** Why there is no new summary, or why it could not be used. */
export type SummaryFailure = Exclude<CompressionFailure, "changed-meanwhile">;

/**
 * `text` reports it to the user; `message` is the same in English. Tokens are those of the next request's messages, before and after;
 * `usage` is that of the models that were asked for a summary.
 */
export type CompressionOutcome = { text: NoticeText; message: string } & (
  | {
      type: "compressed";
      summary: Summary;
      pruning: Pruning | null;
      fits: boolean;
      tokensBefore: number;
      tokensAfter: number;
      usage: Usage;
    }
  | {
      type: "pruned";
      cause: SummaryFailure;
      pruning: Pruning;
      fits: boolean;
      tokensBefore: number;
      tokensAfter: number;
      usage: Usage;
    }
  | { type: "not-needed"; tokens: number }
  | { type: "failed"; reason: CompressionFailure; fits: boolean; tokens: number; usage: Usage }
);

type Outcome<Type extends CompressionOutcome["type"]> = Omit<Extract<CompressionOutcome, { type: Type }>, "type" | "text" | "message">;

/** The outcome of a new summary. */
export function toCompressed(input: Outcome<"compressed">): CompressionOutcome {
  const { summary, tokensBefore, tokensAfter, usage, fits } = input;
  const text: NoticeText = {
    code: "conversation-compressed",
    messages: summary.messageIds.length,
    tokensBefore,
    tokensAfter,
    model: summary.model,
    ...pickUsage(usage),
    fits,
  };
  return { type: "compressed", ...input, ...toTexts(text) };
}

/** Its usage, as far as the provider reports it. */
function pickUsage({ inputTokens, outputTokens, costUsd }: Usage) {
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** The outcome of pruning instead of a summary. */
export function toPruned({ prunedCount, ...input }: Outcome<"pruned"> & { prunedCount: number }): CompressionOutcome {
  const { cause: failure, tokensBefore, tokensAfter, fits } = input;
  return {
    type: "pruned",
    ...input,
    ...toTexts({ code: "outputs-pruned", failure, outputs: prunedCount, tokensBefore, tokensAfter, fits }),
  };
}

/** The outcome of a compression that changed nothing. */
export function toFailed(input: Outcome<"failed">): CompressionOutcome {
  const { reason: failure, fits } = input;
  return { type: "failed", ...input, ...toTexts({ code: "compression-failed", failure, fits }) };
}

/** The outcome if the conversation fits. */
export function toNotNeeded(tokens: number): CompressionOutcome {
  return { type: "not-needed", tokens, ...toTexts({ code: "compression-not-needed" }) };
}

function toTexts(text: NoticeText): Pick<CompressionOutcome, "text" | "message"> {
  return { text, message: formatText(text) };
}
