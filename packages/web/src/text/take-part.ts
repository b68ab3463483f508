import { takeStart } from "@skein/engine";

export interface PartLimits {
  characters: number;
  lines: number;
}

/** The beginning of a text: at most so many characters and lines, and no half of a character. Looks at nothing behind it. */
export function takePart(text: string, { characters, lines }: PartLimits): string {
  const start = takeStart(text, characters);
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = start.indexOf("\n", end + 1);
    if (end === -1) return start;
  }
  return start.slice(0, end + 1);
}
