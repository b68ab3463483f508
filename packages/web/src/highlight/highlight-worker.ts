import { serveWorker } from "../worker/serve-worker.ts";
import type { HighlightAnswer, HighlightRequest } from "./code-token.ts";
import { prepareLanguage, tokenize } from "./tokenize.ts";

/* Runs next to the page: however long a file takes, typing does not wait for it. */
serveWorker<HighlightRequest, HighlightAnswer>({
  prepare: ({ language }) => prepareLanguage(language),
  work: (request) => ({ lines: tokenize(request) }),
});
