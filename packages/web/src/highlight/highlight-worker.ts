import { serveWorker } from "../worker/serve-worker.ts";
import type { HighlightAnswer, HighlightRequest } from "./code-token.ts";
import { loadGrammar } from "./load-grammar.ts";
import { prepareLanguage, tokenize } from "./tokenize.ts";

/* Runs in a worker: typing does not wait for a file, however long it takes. */
serveWorker<HighlightRequest, HighlightAnswer>({
  prepare: ({ language }) => prepareLanguage(language, loadGrammar),
  work: (request) => ({ lines: tokenize(request) }),
});
