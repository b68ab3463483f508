import { keepNewest } from "@skein/engine";
import { createDeadlineWorker } from "../worker/deadline-worker.ts";
import type { MarkdownTree } from "./parse-markdown.ts";

/** Ordinary texts of this length take a hundredth of it. */
const deadlineMs = 1500;
const maxKept = 60;

const kept = new Map<string, MarkdownTree | null>();
const worker = createDeadlineWorker<string, MarkdownTree>(
  () => new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" }),
  deadlineMs,
);

/** What `parseInWorker` found for this text before; undefined when it was not asked. Null: it is shown as it is. */
export function findParsed(text: string): MarkdownTree | null | undefined {
  return kept.get(text);
}

/** Null for a text that cannot be parsed within the deadline, or has too many elements to be drawn. */
export async function parseInWorker(text: string, signal: AbortSignal): Promise<MarkdownTree | null> {
  const tree = await worker.run(text, signal);
  if (!signal.aborted || tree !== null) {
    kept.set(text, tree);
    keepNewest(kept, maxKept);
  }
  return tree;
}
