import type * as Unbash from "unbash";
import { requirePackage } from "../programs/locate-program.ts";

let unbash: typeof Unbash | undefined;

/** The parser takes time with the square of the length for some texts: 0.2 s for the worst ones of this length. */
const maximumLength = 10_000;

/**
 * The syntax tree of shell text, and what is wrong with it in `errors`; undefined where the text is too long or too deeply
 * nested. Loads the parser with the first call (13 ms, 5 MB): most processes never judge a command. Synchronous, because
 * decoders are.
 */
export function parseShell(text: string): Unbash.ParsedScript | undefined {
  if (text.length > maximumLength) return undefined;
  unbash ??= requirePackage("unbash") as typeof Unbash;
  return noDeeperThanTheStack(() => unbash?.parse(text));
}

/** A text of a few thousand brackets is nested deeper than a recursive function can follow: undefined then. */
export function noDeeperThanTheStack<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
