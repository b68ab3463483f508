import { createDeadlineWorker } from "../worker/deadline-worker.ts";
import type { CodeLine, HighlightRequest } from "./code-token.ts";

/** A longer text is shown without colours: nobody waits for them that long. */
const maxLength = 400_000;
const maxKept = 200;
const deadlineMs = 5000;

const kept = new Map<string, Promise<CodeLine[] | null>>();
const worker = createDeadlineWorker<HighlightRequest, CodeLine[]>(
  () => new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
  deadlineMs,
);

/** The colours of a text, line by line; null where there are none. The same text is worked out once. */
export function highlight(code: string, language: string): Promise<CodeLine[] | null> {
  if (code.length > maxLength) return Promise.resolve(null);
  const key = `${language}\n${code}`;
  const known = kept.get(key);
  if (known) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const lines = worker.run({ code, language });
  kept.set(key, lines);
  for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest);
  return lines;
}
