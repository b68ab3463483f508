import { type ToolSummaries, toolSummariesEn } from "../i18n/en-tool-summaries.ts";
import { createFormTranslator } from "../text/form-translator.ts";

/**
 * Says the summaries that the engine wrote in another language. Names, paths and commands stay as they are, and so does
 * every summary of a form that the engine does not write.
 */
export function createSummaryTranslator(words: ToolSummaries): (summary: string) => string {
  const { forms, endings } = toolSummariesEn;
  // `Ran x failed` is a command, whatever its last word is: endings come last.
  const layers = [
    { read: forms, said: words.forms },
    { read: { endings }, said: { endings: words.endings } },
  ];
  return createFormTranslator(layers, words.statuses);
}
