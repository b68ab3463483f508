import type { HighlightAnswer } from "../highlight/code-token.ts";
import { prepareLanguage, tokenize } from "../highlight/tokenize.ts";
import { serveWorker } from "../worker/serve-worker.ts";
import { type PageHighlightRequest, unpackGrammar } from "./packed-grammar.ts";

/* As `highlight/highlight-worker.ts`, with grammars that come with the request: an exported page loads nothing. */
serveWorker<PageHighlightRequest, HighlightAnswer>({
  prepare: ({ language, grammar }) => prepareLanguage(language, () => unpackGrammar(grammar)),
  work: (request) => ({ lines: tokenize(request) }),
});
