import type { CodeLine, HighlightAnswer, HighlightRequest } from "./code-token.ts";

/** A longer text is shown without colours: nobody waits for them that long. */
const maxLength = 400_000;
const maxKept = 200;

const kept = new Map<string, Promise<CodeLine[] | null>>();
const waiting = new Map<number, (lines: CodeLine[] | null) => void>();
let worker: Worker | undefined;
let lastId = 0;

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
  const lines = ask({ id: ++lastId, code, language });
  kept.set(key, lines);
  for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest);
  return lines;
}

function ask(request: HighlightRequest): Promise<CodeLine[] | null> {
  return new Promise((resolve) => {
    waiting.set(request.id, resolve);
    openWorker().postMessage(request);
  });
}

function openWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  // It could not be loaded: what waits is shown without colours, and the next text tries again.
  worker.addEventListener("error", () => {
    worker?.terminate();
    worker = undefined;
    kept.clear();
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  });
  return worker;
}
