import { keepNewest } from "@skein/engine";
import type { CodeLine, HighlightAnswer, HighlightRequest } from "./code-token.ts";

/** A longer text is shown without colours: nobody waits for them that long. */
const maxLength = 400_000;
const maxKept = 200;
/** A text that stops the tokenizer each time must not keep the others waiting whenever it comes into view. */
const maxTries = 2;

interface Kept {
  lines: Promise<CodeLine[] | null>;
  tries: number;
  failed: boolean;
}

/**
 * Works out the colours of each text once. `run` resolves to null when the work failed or took too long: that says nothing about
 * the text, so it is tried once more when it is asked for again.
 */
export function createHighlightCache(
  run: (request: HighlightRequest) => Promise<HighlightAnswer | null>,
): (code: string, language: string) => Promise<CodeLine[] | null> {
  const kept = new Map<string, Kept>();
  return (code, language) => {
    if (code.length > maxLength) return Promise.resolve(null);
    const key = `${language}\n${code}`;
    const known = kept.get(key);
    kept.delete(key);
    if (known && (!known.failed || known.tries >= maxTries)) {
      kept.set(key, known);
      return known.lines;
    }
    const entry: Kept = {
      lines: run({ code, language }).then((answer) => {
        entry.failed = answer === null;
        return answer?.lines ?? null;
      }),
      tries: (known?.tries ?? 0) + 1,
      failed: false,
    };
    kept.set(key, entry);
    keepNewest(kept, maxKept);
    return entry.lines;
  };
}
