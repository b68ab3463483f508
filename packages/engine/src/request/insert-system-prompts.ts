import type { MessageBody } from "@skein/contracts";

/**
 * Step 4: puts the system prompts in front, joined with `\n` into one system message. Blank prompts are left out; without any,
 * no message is added.
 *
 * @returns a new array.
 */
export function insertSystemPrompts(messages: readonly MessageBody[], systemPrompts: readonly string[]): MessageBody[] {
  const prompts = systemPrompts.filter((prompt) => prompt.trim() !== "");
  return prompts.length === 0 ? messages.slice() : [{ role: "system", content: prompts.join("\n") }, ...messages];
}
