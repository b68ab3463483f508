import type * as Unbash from "unbash";
import { requirePackage } from "../programs/locate-program.ts";

let unbash: typeof Unbash | undefined;

/** The parser needs quadratic time for some texts: 0.2 s for the worst of this length. */
const maximumLength = 10_000;

/**
 * Parses shell text into a syntax tree, with syntax errors in `errors`; undefined if it is too long or too deeply nested. Loads the
 * parser with the first call (13 ms, 5 MB): most processes never judge a command. Synchronous, because decoders are.
 */
export function parseShell(text: string): Unbash.ParsedScript | undefined {
  if (text.length > maximumLength) return undefined;
  unbash ??= requirePackage("unbash") as typeof Unbash;
  return noDeeperThanTheStack(() => unbash?.parse(text));
}

/** A few thousand brackets are nested deeper than a recursive function can follow: undefined then. */
export function noDeeperThanTheStack<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
