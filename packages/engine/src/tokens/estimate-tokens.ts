/*
 * Tokens per UTF-16 unit of text in code conversations, a little high: a request that is thought too long is compressed too
 * early, one that is thought too short is refused. Each unit adds its own weight, so a longer text never counts less.
 */
const asciiWeight = 0.29;
const latinWeight = 0.5;
const wideWeight = 0.9;

/** A quick guess that needs no tokenizer, for the places that count often. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let latin = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) ascii++;
    else if (unit < 0x800) latin++;
  }
  const wide = text.length - ascii - latin;
  return Math.ceil(ascii * asciiWeight + latin * latinWeight + wide * wideWeight);
}
