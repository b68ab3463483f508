import type { Approval, JsonValue } from "@skein/contracts";
import { countHidden, cutRevealed, revealText } from "@skein/engine";
import { toLine, toRevealedLine } from "../terminal/terminal-text.ts";

/** What an approval would allow, on one line. */
export interface DescribedUse {
  text: string;
  /** Whether its middle is left out. */
  isCut: boolean;
  /** How many of its characters are invisible; they are shown by name. */
  hiddenCharacters: number;
}

const limits = { head: { characters: 500, lines: 10 }, tail: { characters: 300, lines: 5 } };
const noLimits = { head: { characters: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY }, tail: { characters: 0, lines: 0 } };

/** The tool and its input; for a long input the beginning and the end, unless `all` is set. Hidden characters are revealed (X6). */
export function describeUse({ toolName, input }: Pick<Approval, "toolName" | "input">, { all }: { all: boolean }): DescribedUse {
  const parts = revealText(toText(input));
  const { head, tail, hiddenCharacters } = cutRevealed(parts, all ? noLimits : limits);
  const between = hiddenCharacters === 0 ? "" : ` … <${hiddenCharacters} more characters> … `;
  return {
    text: `${toRevealedLine(toolName)} ${toLine(head)}${between}${toLine(tail)}`,
    isCut: hiddenCharacters > 0,
    hiddenCharacters: countHidden(parts).count,
  };
}

/** A command as it will run, then the tool's other input. */
function toText(input: JsonValue): string {
  if (typeof input !== "object" || input === null || Array.isArray(input) || typeof input.command !== "string")
    return JSON.stringify(input);
  const { command, ...rest } = input;
  return Object.keys(rest).length === 0 ? command : `${command} ${JSON.stringify(rest)}`;
}
