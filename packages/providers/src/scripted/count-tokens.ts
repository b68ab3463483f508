/** The token estimate of the scripted models: code points divided by four, rounded up. */
export function countTokens(text: string): number {
  let codePoints = 0;
  for (const _ of text) codePoints++;
  return Math.ceil(codePoints / 4);
}
