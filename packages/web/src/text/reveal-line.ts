import { revealInvisible } from "@skein/engine";

/** A name in which every character that cannot be seen is replaced by its code point: `[U+202E]`. */
export function revealLine(text: string): string {
  return revealInvisible(text)
    .map((run) => run.text ?? `[${run.hidden}]`)
    .join("");
}
