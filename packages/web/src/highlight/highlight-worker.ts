import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "@shikijs/core";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { serveWorker } from "../worker/serve-worker.ts";
import { type CodeLine, type HighlightRequest, type TokenKind, tokenKinds } from "./code-token.ts";
import { loadGrammar } from "./load-grammar.ts";

/*
 * Runs next to the page: however long a file takes, typing does not wait for it. The engine is JavaScript, because the
 * content security policy does not allow wasm.
 */

const kindOfVariable: Record<string, TokenKind> = {
  "token-comment": "comment",
  "token-keyword": "keyword",
  "token-string": "string",
  "token-string-expression": "string",
  "token-constant": "constant",
  "token-function": "function",
  "token-parameter": "parameter",
  "token-punctuation": "punctuation",
  "token-link": "link",
};

/** Each is an element of the page: with more of them it would stop to answer while they are drawn. */
const maxTokens = 30_000;
const themeName = "skein";
let highlighter: Promise<HighlighterCore> | undefined;

function openHighlighter(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: themeName, variablePrefix: "--" })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return highlighter;
}

async function highlight({ code, language }: HighlightRequest): Promise<CodeLine[] | null> {
  const grammar = await loadGrammar(language);
  if (grammar === undefined) return null;
  const core = await openHighlighter();
  if (!core.getLoadedLanguages().includes(language)) await core.loadLanguage(grammar);
  const options = { lang: language, theme: themeName, tokenizeMaxLineLength: 2000, tokenizeTimeLimit: 300 };
  const lines = core.codeToTokensBase(code, options).map((line) => line.map(({ content, color }) => [content, toKind(color)] as const));
  return lines.reduce((sum, line) => sum + line.length, 0) > maxTokens ? null : lines;
}

function toKind(color: string | undefined): number {
  const variable = /^var\(--([a-z-]+)\)$/.exec(color ?? "")?.[1] ?? "";
  return Math.max(0, tokenKinds.indexOf(kindOfVariable[variable] ?? "plain"));
}

serveWorker(highlight);
