import type { AgentOutput } from "@skein/contracts";
import type { OpenMessage, TextBlock } from "./processor-state.ts";

type TextOutput = Extract<AgentOutput, { type: "text" | "thinking" }>;

/** The text or thinking block with this index; undefined if there is none. */
export function findTextBlock(message: OpenMessage, output: TextOutput): TextBlock | undefined {
  return message.blocks.find(
    (block): block is TextBlock => block.kind !== "tool" && block.index === output.index && (block.kind === output.type || block.isVoid),
  );
}

/** Adds an empty text or thinking block to a message. */
export function addTextBlock(message: OpenMessage, output: TextOutput): TextBlock {
  const block: TextBlock = {
    kind: output.type,
    index: output.index,
    id: createBlockId(message, output.index),
    at: output.at,
    text: "",
    revision: 0,
    streaming: false,
    isVoid: false,
    ...(message.level === "" ? {} : { parentToolUseId: message.level }),
  };
  message.blocks.push(block);
  return block;
}

/** `<message>-<index>`, with a number appended for an agent that uses an index twice. */
export function createBlockId(message: OpenMessage, index: number): string {
  const id = `${message.id}-${index}`;
  if (!message.blocks.some((block) => block.id === id)) return id;
  const taken = new Set(message.blocks.map((block) => block.id));
  let number = 2;
  while (taken.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
