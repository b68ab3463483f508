import { truncateCodePoints } from "@skein/engine";

const maxTitle = 200;

/** The first line with words, for a title. */
export function toFirstWords(text: string): string {
  const line = text.split("\n").find((words) => words.trim() !== "") ?? "";
  return truncateCodePoints(line.trim(), maxTitle);
}
