import {
  codeToTokensBase,
  createCssVariablesTheme,
  createShikiPrimitiveAsync,
  type LanguageInput,
  type ShikiPrimitive,
} from "@shikijs/core";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { type CodeLine, type HighlightRequest, type TokenKind, tokenKinds } from "./code-token.ts";

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
  "token-inserted": "inserted",
  "token-deleted": "deleted",
};

/** Each token is an element: with more of them the page would freeze while it is drawn. */
const maxTokens = 30_000;
const themeName = "skein";

let opening: Promise<ShikiPrimitive> | undefined;
let highlighter: ShikiPrimitive | undefined;

/** Loads the grammar of a language, once. The engine is JavaScript, because the content security policy does not allow wasm. */
export async function prepareLanguage(
  language: string,
  loadGrammar: (language: string) => Promise<LanguageInput | undefined>,
): Promise<void> {
  if (highlighter?.getLoadedLanguages().includes(language)) return;
  const grammar = await loadGrammar(language);
  if (grammar === undefined) return;
  opening ??= createShikiPrimitiveAsync({
    themes: [createCssVariablesTheme({ name: themeName, variablePrefix: "--" })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  highlighter = await opening;
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage(grammar);
}

/**
 * The colours of a text whose language is prepared; null for an unknown language, or more tokens than a page can draw. Has no time
 * limit of its own: a line that was cut short would leave wrong colours on every line after it. The worker's deadline is the limit.
 */
export function tokenize({ code, language }: HighlightRequest): CodeLine[] | null {
  if (!highlighter?.getLoadedLanguages().includes(language)) return null;
  const options = { lang: language, theme: themeName, tokenizeMaxLineLength: 2000, tokenizeTimeLimit: 0 };
  const lines = codeToTokensBase(highlighter, code, options).map((line) =>
    line.map(({ content, color }) => [content, toKind(color)] as const),
  );
  return lines.reduce((sum, line) => sum + line.length, 0) > maxTokens ? null : lines;
}

function toKind(color: string | undefined): number {
  const variable = /^var\(--([a-z-]+)\)$/.exec(color ?? "")?.[1] ?? "";
  return Math.max(0, tokenKinds.indexOf(kindOfVariable[variable] ?? "plain"));
}
