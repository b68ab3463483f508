import { LruMap } from "../state/lru-map.ts";
import type { CodeLine, HighlightAnswer, HighlightRequest } from "./code-token.ts";

/** A longer text is shown without colours: they would take too long. */
const maxLength = 400_000;
/** Keeps a text that always stops the tokenizer from delaying the others each time it scrolls into view. */
const maxTries = 2;

interface Kept {
  lines: Promise<CodeLine[] | null>;
  tries: number;
  failed: boolean;
}

/**
 * Computes the colours of each text once. `run` resolves to null when the work failed or took too long, which may not be because of
 * the text: the next call tries once more.
 */
export function createHighlightCache(
  run: (request: HighlightRequest) => Promise<HighlightAnswer | null>,
): (code: string, language: string) => Promise<CodeLine[] | null> {
  const kept = new LruMap<string, Kept>({ max: 200 });
  return (code, language) => {
    if (code.length > maxLength) return Promise.resolve(null);
    const key = `${language}\n${code}`;
    const known = kept.get(key);
    if (known && (!known.failed || known.tries >= maxTries)) return known.lines;
    const entry: Kept = {
      lines: run({ code, language }).then((answer) => {
        entry.failed = answer === null;
        return answer?.lines ?? null;
      }),
      tries: (known?.tries ?? 0) + 1,
      failed: false,
    };
    kept.set(key, entry);
    return entry.lines;
  };
}
