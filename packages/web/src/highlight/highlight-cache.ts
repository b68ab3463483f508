import { LruMap } from "../state/lru-map.ts";
import type { CodeLine, HighlightAnswer, HighlightRequest } from "./code-token.ts";

/** A longer text is shown without colours: they would take too long. */
const maxLength = 400_000;
/**
 * Computes the colours of each text once. `run` resolves to null when the work failed or took too long, which may not be because of
 * the text: it is tried once more, so that a text that is on the screen gets its colours. No more often: a text that always stops the
 * tokenizer would delay the others each time it scrolls into view.
 */
export function createHighlightCache(
  run: (request: HighlightRequest) => Promise<HighlightAnswer | null>,
): (code: string, language: string) => Promise<CodeLine[] | null> {
  const kept = new LruMap<string, Promise<CodeLine[] | null>>({ max: 200 });
  return (code, language) => {
    if (code.length > maxLength) return Promise.resolve(null);
    const key = `${language}\n${code}`;
    const known = kept.get(key);
    if (known) return known;
    const lines = run({ code, language })
      .then((answer) => answer ?? run({ code, language }))
      .then((answer) => answer?.lines ?? null);
    kept.set(key, lines);
    return lines;
  };
}
