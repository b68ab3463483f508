import type { Attempt, GeneralSettings } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

/**
 * The user's system prompts (R5), from general to specific: each adds to the previous ones, and the most specific comes last, as with
 * the instruction files that agents read.
 */
export async function listSystemPrompts(
  read: Pick<StorageReader, "findTask" | "findProject">,
  attempt: Attempt,
  general: Pick<GeneralSettings, "systemPrompt">,
): Promise<string[]> {
  const task = await read.findTask({ id: attempt.taskId });
  const project = task && (await read.findProject({ id: task.projectId }));
  return [general.systemPrompt, project?.systemPrompt ?? "", attempt.systemPrompt].filter((text) => text.trim() !== "");
}
