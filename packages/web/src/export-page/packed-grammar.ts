import type { LanguageInput } from "@shikijs/core";
import type { HighlightRequest } from "../highlight/code-token.ts";

/** `grammar`: JSON, gzip, base64. */
export interface PageHighlightRequest extends HighlightRequest {
  grammar: string;
}

/** Unpacks a grammar of the page. */
export async function unpackGrammar(grammar: string): Promise<LanguageInput> {
  const bytes = Uint8Array.from(atob(grammar), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as LanguageInput;
}
