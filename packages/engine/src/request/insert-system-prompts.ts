import type { MessageBody } from "@skein/contracts";

/** One system message at the front: the person's or project's own prompt first, then the default one. Blank ones are left out. */
export function insertSystemPrompts(messages: readonly MessageBody[], systemPrompts: readonly string[]): MessageBody[] {
  const prompts = systemPrompts.filter((prompt) => prompt.trim() !== "");
  return prompts.length === 0 ? [...messages] : [{ role: "system", content: prompts.join("\n") }, ...messages];
}
