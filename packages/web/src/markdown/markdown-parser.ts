import { LruMap } from "../state/lru-map.ts";
import { createDeadlineWorker } from "../worker/deadline-worker.ts";
import type { MarkdownTree } from "./parse-markdown.ts";

/** Ordinary texts of this length take a hundredth of it. */
const deadlineMs = 1500;

const kept = new LruMap<string, MarkdownTree | null>({ max: 60 });
const worker = createDeadlineWorker<string, MarkdownTree>(
  () => new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" }),
  deadlineMs,
);

/** An earlier result of `parseInWorker`; undefined where there is none. Null: the text is shown as it is. */
export function findParsed(text: string): MarkdownTree | null | undefined {
  return kept.get(text);
}

/** Null for a text that cannot be parsed within the deadline, or has too many elements to be drawn. */
export async function parseInWorker(text: string, signal: AbortSignal): Promise<MarkdownTree | null> {
  const tree = await worker.run(text, signal);
  if (!signal.aborted || tree !== null) kept.set(text, tree);
  return tree;
}
