import type { RepositoryText } from "@skein/contracts";
import { formatText } from "@skein/engine";

/** A problem for the API: in English, and as data. */
export function toProblemFields(text: RepositoryText): { problem: string; problemText: RepositoryText } {
  return { problem: formatText(text), problemText: text };
}
