import type { Attempt, GeneralSettings } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";
import { findProjectOf } from "./project-of.ts";

/**
 * The user's system prompts (R5), from general to specific: each adds to the previous ones, and the most specific comes last, as with
 * the instruction files that agents read.
 */
export async function listSystemPrompts(
  read: Pick<StorageReader, "findTask" | "findProject">,
  attempt: Attempt,
  general: Pick<GeneralSettings, "systemPrompt">,
): Promise<string[]> {
  const project = await findProjectOf(read, attempt);
  return [general.systemPrompt, project?.systemPrompt ?? "", attempt.systemPrompt].filter((text) => text.trim() !== "");
}
