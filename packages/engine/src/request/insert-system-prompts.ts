import type { MessageBody } from "@skein/contracts";

/** One system message at the front: the person's or project's own prompt first, then the default one. Blank ones are left out. */
export function insertSystemPrompts(messages: readonly MessageBody[], systemPrompts: readonly string[]): MessageBody[] {
  const system = toSystemMessage(systemPrompts);
  return system === undefined ? [...messages] : [system, ...messages];
}

/** Undefined when there is nothing to say. */
export function toSystemMessage(systemPrompts: readonly string[]): MessageBody | undefined {
  const prompts = systemPrompts.filter((prompt) => prompt.trim() !== "");
  return prompts.length === 0 ? undefined : { role: "system", content: prompts.join("\n") };
}
