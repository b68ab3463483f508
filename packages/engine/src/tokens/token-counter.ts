import type { MessageBody } from "@skein/contracts";
import { countBody } from "./count-body.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** Returns the number of tokens of a text. */
export type CountText = (text: string) => number;

/** Counts tokens as one model does. */
export interface TokenCounter {
  /** `<provider>/<model>` that it is calibrated for. */
  readonly model: string;
  /** Tokens that the model counts for one token counted here; 1 until calibrated. */
  readonly ratio: number;
  countText(text: string): number;
  /** Cached by object identity: a changed message must be a new object. */
  count(body: MessageBody): number;
  countAll(bodies: Iterable<MessageBody>): number;
  /** `counted`: what this counter returned for a request; `reported`: what the provider reported for it. */
  calibrate(usage: { counted: number; reported: number }): void;
}

const bounds = { least: 0.5, most: 3 };
const weightOfNewest = 0.3;
/** Smaller requests are dominated by parts that are not messages, such as tool definitions. */
const leastTelling = 200;

/**
 * Counts like `countText` (by default `estimateTokens`), calibrated with the provider's figures for earlier requests. One report moves
 * the ratio only a little, and never out of bounds.
 */
export function createTokenCounter({
  model,
  countText = estimateTokens,
  ratio: initialRatio = 1,
}: {
  model: string;
  countText?: CountText;
  ratio?: number;
}): TokenCounter {
  const counted = new WeakMap<MessageBody, number>();
  let ratio = clampRatio(initialRatio);
  const countRaw = (body: MessageBody): number => {
    const known = counted.get(body);
    if (known !== undefined) return known;
    const tokens = countBody(body, countText);
    counted.set(body, tokens);
    return tokens;
  };
  return {
    model,
    get ratio() {
      return ratio;
    },
    countText: (text) => Math.ceil(countText(text) * ratio),
    count: (body) => Math.ceil(countRaw(body) * ratio),
    countAll(bodies) {
      let tokens = 0;
      for (const body of bodies) tokens += countRaw(body);
      return Math.ceil(tokens * ratio);
    },
    calibrate(usage) {
      if (!(usage.counted >= leastTelling && Number.isFinite(usage.reported) && usage.reported > 0)) return;
      // `counted` already includes the ratio.
      const observed = clampRatio((usage.reported / usage.counted) * ratio);
      ratio = clampRatio(ratio + (observed - ratio) * weightOfNewest);
    },
  };
}

function clampRatio(ratio: number): number {
  return Math.min(bounds.most, Math.max(bounds.least, ratio));
}
