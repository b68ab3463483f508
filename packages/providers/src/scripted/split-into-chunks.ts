const hanOrKana = /[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]/;

/** Splits into groups of a few words, or of a few characters for scripts without spaces. Joined, the chunks are the text. */
export function splitIntoChunks(text: string): string[] {
  const pieces =
    text.match(/[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]{1,4}\s*|[^\s\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]+\s*|\s+/gu) ?? [];
  const chunks: string[] = [];
  let chunk = "";
  let words = 0;
  for (const piece of pieces) {
    chunk += piece;
    words += 1;
    if (words >= 3 || hanOrKana.test(piece)) {
      chunks.push(chunk);
      chunk = "";
      words = 0;
    }
  }
  if (chunk !== "") chunks.push(chunk);
  return chunks;
}
