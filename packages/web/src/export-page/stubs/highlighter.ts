import type { HighlightAnswer } from "../../highlight/code-token.ts";
import { createHighlightCache } from "../../highlight/highlight-cache.ts";
import { createDeadlineWorker } from "../../worker/deadline-worker.ts";
import HighlightWorker from "../highlight-worker.ts?worker&inline";
import type { PageHighlightRequest } from "../packed-grammar.ts";

/* As `highlight/highlighter.ts`, with a worker and grammars that are part of the page: the server adds those of the languages that occur. */

const deadlineMs = 5000;
const packed = new Map<string, string>();

const worker = createDeadlineWorker<PageHighlightRequest, HighlightAnswer>(() => new HighlightWorker(), deadlineMs);

export function addPackedGrammar({ language, grammar }: { language: string; grammar: string }): void {
  packed.set(language, grammar);
}

const cached = createHighlightCache((request) => worker.run({ ...request, grammar: packed.get(request.language) ?? "" }));

export async function highlight(code: string, language: string) {
  return packed.has(language) ? cached(code, language) : null;
}
