import { splitsPair } from "@skein/engine";

/** The part of a line that differs from the line it replaces: from the first to the last difference. */
export interface ChangedPart {
  from: number;
  to: number;
}

/** Beyond this share it is a different line, and a mark would not help. */
const mostOfIt = 0.7;

/** The differing parts of two lines; null where they have too little in common to be compared. */
export function findChangedParts(before: string, after: string): { before: ChangedPart; after: ChangedPart } | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // A pair of surrogates that differ in one half differs as a whole (Q17).
  if (splitsPair(before, start) || splitsPair(after, start)) start--;
  if (end > 0 && splitsPair(before, before.length - end)) end--;
  const longest = Math.max(before.length - start - end, after.length - start - end);
  if (longest > Math.max(before.length, after.length) * mostOfIt) return null;
  return { before: { from: start, to: before.length - end }, after: { from: start, to: after.length - end } };
}
