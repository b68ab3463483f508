import type { MessageBody } from "@skein/contracts";
import { countBody } from "./count-body.ts";
import { estimateTokens } from "./estimate-tokens.ts";

export type CountText = (text: string) => number;

export interface TokenCounter {
  /** `<provider>/<model>` that it is calibrated for. */
  readonly model: string;
  /** What the model counts for what is counted here; 1 until it was calibrated. */
  readonly ratio: number;
  countText(text: string): number;
  /** Remembered for the object: a message that changes must be another object. */
  count(body: MessageBody): number;
  countAll(bodies: Iterable<MessageBody>): number;
  /** `counted` is what this counter said of a request, `reported` what the provider did. */
  calibrate(usage: { counted: number; reported: number }): void;
}

const bounds = { least: 0.5, most: 3 };
const weightOfNewest = 0.3;
/** Below this the parts of a request that are not messages decide, such as tool definitions. */
const leastTelling = 200;

/**
 * Counts as `countText` does (by default `estimateTokens`), corrected by what the provider reported for earlier requests. One
 * report moves the ratio only a little, and no report moves it out of bounds.
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
      // `counted` has the ratio in it already.
      const observed = clampRatio((usage.reported / usage.counted) * ratio);
      ratio = clampRatio(ratio + (observed - ratio) * weightOfNewest);
    },
  };
}

function clampRatio(ratio: number): number {
  return Math.min(bounds.most, Math.max(bounds.least, ratio));
}
