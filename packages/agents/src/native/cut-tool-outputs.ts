import type { MessageBody, ToolResultPart } from "@skein/contracts";
import { takeStart } from "@skein/engine";

/** `old`: all outputs except the latest few; `all`: every one, except for the beginning of the latest. */
export type OutputPruning = "none" | "old" | "all";

const keptResults = 6;
const smallLength = 500;
const keptStart = 4000;

/**
 * Shrinks a request without changing its structure: every call keeps its result, only the text is left out. Unlike the pruning between
 * turns, which is stored and spares the current turn, this is for a turn that alone exceeds the window.
 */
export function cutToolOutputs(messages: readonly MessageBody[], pruning: OutputPruning): readonly MessageBody[] {
  if (pruning === "none") return messages;
  let newer = messages.reduce((count, body) => count + (body.role === "tool" ? body.content.length : 0), 0);
  return messages.map((body) => {
    if (body.role !== "tool") return body;
    const content = body.content.map((part) => {
      const isLatest = newer-- <= keptResults;
      if (!isLatest) return cut(part, 0);
      return pruning === "all" ? cut(part, keptStart) : part;
    });
    return { ...body, content };
  });
}

function cut(part: ToolResultPart, kept: number): ToolResultPart {
  const text =
    typeof part.result === "string" ? part.result : part.result.map((piece) => (piece.type === "text" ? piece.text : "[image]")).join("\n");
  if (text.length <= Math.max(smallLength, kept)) return typeof part.result === "string" ? part : { ...part, result: text };
  const start = takeStart(text, kept);
  return { ...part, result: `${start}${start === "" ? "" : "\n"}[${text.length - start.length} characters of this output are left out]` };
}
