import type { LanguageInput } from "@shikijs/core";
import { languageWords } from "../highlight/language-of.ts";
import { languages, loadGrammar } from "../highlight/load-grammar.ts";

/** For the build: the grammars of all languages, each with those that it embeds; and the words in a text that stand for a language. */
export async function listGrammars(): Promise<{
  words: Readonly<Record<string, string>>;
  grammars: readonly (readonly [language: string, grammar: LanguageInput | undefined])[];
}> {
  const grammars = await Promise.all(languages.map(async (language) => [language, await loadGrammar(language)] as const));
  return { words: languageWords, grammars };
}
