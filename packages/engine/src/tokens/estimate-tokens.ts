/*
 * Tokens per UTF-16 unit of text in code conversations, slightly too high: an overestimated request is compressed too early, an
 * underestimated one is rejected. Each unit adds its own weight, so a longer text never counts less.
 */
const asciiWeight = 0.29;
const latinWeight = 0.5;
const wideWeight = 0.9;

/** A fast estimate without a tokenizer, for frequent use. */
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
