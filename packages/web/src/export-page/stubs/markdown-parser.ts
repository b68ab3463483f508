import MarkdownWorker from "../../markdown/markdown-worker.ts?worker&inline";
import type { MarkdownTree } from "../../markdown/parse-markdown.ts";
import { LruMap } from "../../state/lru-map.ts";
import { createDeadlineWorker } from "../../worker/deadline-worker.ts";

/* As `markdown/markdown-parser.ts`, with a worker that is part of the page. */

const deadlineMs = 1500;
const kept = new LruMap<string, MarkdownTree | null>({ max: 60 });
const worker = createDeadlineWorker<string, MarkdownTree>(() => new MarkdownWorker(), deadlineMs);

export function findParsed(text: string): MarkdownTree | null | undefined {
  return kept.get(text);
}

export async function parseInWorker(text: string, signal: AbortSignal): Promise<MarkdownTree | null> {
  const tree = await worker.run(text, signal);
  if (!signal.aborted || tree !== null) kept.set(text, tree);
  return tree;
}

interface TrustedTypes {
  createPolicy(name: "default", rules: { createScriptURL(url: string): string }): unknown;
}

/** The page's policy refuses strings that could become script; a worker made from a blob of this page is the exception. */
export function allowOwnWorker(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy("default", {
    createScriptURL(url) {
      if (url.startsWith("blob:")) return url;
      throw new TypeError("Not a script of this page");
    },
  });
}
