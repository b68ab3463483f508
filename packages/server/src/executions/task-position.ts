import type { Task } from "@skein/contracts";
import type { StorageReader } from "@skein/engine";

/** The position after all tasks of a project: one index lookup, however many there are. */
export async function behindAll(reader: StorageReader, projectId: Task["projectId"]): Promise<number> {
  return Math.max(0, (await reader.findLastTaskPosition({ projectId })) ?? 0) + 1;
}
