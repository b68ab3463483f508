import type { MessageBody } from "@skein/contracts";

/**
 * Step 4: puts the system prompts in front, joined with `\n` into one system message. Blank prompts are left out; without any,
 * no message is added.
 *
 * @returns a new array.
 */
export function insertSystemPrompts(messages: readonly MessageBody[], systemPrompts: readonly string[]): MessageBody[] {
  const prompts = systemPrompts.filter((prompt) => prompt.trim() !== "");
  if (prompts.length === 0) return messages.slice();
  const system: MessageBody[] = [{ role: "system", content: prompts.join("\n") }];
  return system.concat(messages); // copies a long history several times faster than a spread
}
