import type { JsonValue } from "@skein/contracts";

export interface FileChange {
  filePath: string;
  /** Null for a new file. */
  oldContent: string | null;
  newContent: string;
}

const maximumContent = 256 * 1024;

/** Both contents if they are small; for a large file only the patch, because otherwise every edit would fill the log. */
export async function toStructuredChange(change: FileChange, extra: { created?: boolean } = {}): Promise<JsonValue> {
  const { filePath, oldContent, newContent } = change;
  if ((oldContent?.length ?? 0) + newContent.length <= maximumContent) return { filePath, ...extra, oldContent, newContent };
  const { createTwoFilesPatch } = await import("diff");
  const patch = createTwoFilesPatch(filePath, filePath, oldContent ?? "", newContent, undefined, undefined, {
    context: 3,
    maxEditLength: 2000,
  });
  return patch !== undefined && patch.length <= maximumContent ? { filePath, ...extra, patch } : { filePath, ...extra };
}
