import { chineseTexts } from "./chinese-texts.ts";
import { englishTexts } from "./english-texts.ts";

export interface DemoFacts {
  quote: string;
  /** Entries in the root folder of the repository. */
  topCount: number;
  /** Files that the search found. */
  fileCount: number;
  fileRead: string | undefined;
  readOk: boolean;
  firstLine: string | undefined;
  lineCount: number;
  matchCount: number;
  grepOk: boolean;
  wrote: boolean;
  edited: boolean;
  /** Undefined if the command did not run. */
  status: { exitCode: number; output: string } | undefined;
  failing: { exitCode: number; output: string } | undefined;
}

export interface DemoTexts {
  reasoning(facts: DemoFacts): string;
  intro(facts: DemoFacts): string;
  todo: readonly [string, string, string, string];
  look: string;
  read(facts: DemoFacts): string;
  nothingToRead: string;
  search: string;
  write: string;
  fileContent(facts: DemoFacts): string;
  draftLine: string;
  finalLine: string;
  edit: string;
  status: string;
  failing: string;
  finish: string;
  answer(facts: DemoFacts): string;
  /** A tool failed, or the user denied it. */
  setback(toolName: string, reason: string): string;
  noTools(facts: DemoFacts): string;
  again: {
    intro(facts: DemoFacts): string;
    add: string;
    note(facts: DemoFacts): string;
    missing: string;
    check: string;
    answer(facts: DemoFacts): string;
  };
}

/** Chinese when the message has Chinese characters and no kana. */
export function chooseTexts(message: string): DemoTexts {
  const chinese = /[\u3400-\u9fff]/.test(message) && !/[\u3040-\u30ff]/.test(message);
  return chinese ? chineseTexts : englishTexts;
}
