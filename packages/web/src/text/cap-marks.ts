/** Unicode's Stream-Safe Text Format allows so many in a row; no language comes near it. */
const maxMarks = 30;

const hasLongRun = /\p{M}{31}|(?:\u200d\P{M}\p{M}{0,30}){31}/u;
const markRun = /(\p{M}{30})\p{M}+/gu;
const joinedRun = /((?:\u200d\P{M}\p{M}{0,30}){30})\u200d/gu;

/**
 * Cuts runs of combining marks, and of characters that are joined to one, for display: a browser lays out each such run as
 * one character, in time that grows with the square of its length. Cut runs end with `…`.
 */
export function capMarks(text: string): string {
  if (text.length <= maxMarks || !hasLongRun.test(text)) return text;
  return text.replace(markRun, "$1…").replace(joinedRun, "$1…");
}
