import type { Compression, MessageEntity } from "@skein/contracts";
import { applyCompression, renderTranscript, takeEnd, takeStart } from "@skein/engine";

const maxOutputLength = 2000;
/** About 40,000 tokens: leaves room for the work in every agent's context window. */
const maxLength = 160_000;

/** The conversation of an attempt as text, for an agent that joins it; null if there is none. */
export function toTranscript(history: readonly MessageEntity[], compression: Compression): string | null {
  const bodies = applyCompression(history, compression.summary);
  if (bodies.length === 0) return null;
  const text = renderTranscript(
    bodies.map((body, index) => ({ id: index, body })),
    { maxOutputLength },
  );
  if (text.length <= maxLength) return text;
  // the task is at the start, the latest result at the end
  const start = takeStart(text, maxLength / 4);
  const end = takeEnd(text, (maxLength / 4) * 3);
  return `${start}\n\n[… the middle of the conversation is left out here …]\n\n${end}`;
}
