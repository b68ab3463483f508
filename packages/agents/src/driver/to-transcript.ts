import type { Compression, MessageEntity } from "@skein/contracts";
import { applyCompression, renderTranscript, takeEnd, takeStart } from "@skein/engine";

const maxOutputLength = 2000;
/** About 40,000 tokens: leaves room for the work in the context window of every agent. */
const maxLength = 160_000;

/** What was said in an attempt, in words, for an agent that joins it; null when nothing was. */
export function toTranscript(history: readonly MessageEntity[], compression: Compression): string | null {
  const bodies = applyCompression(history, compression.summary);
  if (bodies.length === 0) return null;
  const text = renderTranscript(
    bodies.map((body, index) => ({ id: index, body })),
    { maxOutputLength },
  );
  if (text.length <= maxLength) return text;
  // the task stands at the start, and what it led to at the end
  const start = takeStart(text, maxLength / 4);
  const end = takeEnd(text, (maxLength / 4) * 3);
  return `${start}\n\n[… the middle of the conversation is left out here …]\n\n${end}`;
}
