import { takeStart } from "../text/truncate.ts";
import type { CountText } from "./token-counter.ts";

/** A word without an end (base64, minified code) takes the tokenizer time that grows with its square: it is read in pieces. */
const pieceLength = 4096;

/**
 * Counts exactly what the o200k models see. Its table is 2.4 MB of script (1.1 MB compressed), so it is loaded when it is
 * asked for: whoever only estimates never pays for it.
 */
export async function loadTokenizer(): Promise<CountText> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // A text that spells a control token, such as <|endoftext|>, is a text.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let tokens = 0;
    for (let rest = text; rest !== ""; ) {
      const piece = takeStart(rest, pieceLength);
      tokens += countTokens(piece, asText);
      rest = rest.slice(piece.length);
    }
    return tokens;
  };
}
