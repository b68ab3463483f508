import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";

/** Writes a 0600 file atomically: a crash leaves the old or the new content. Concurrent writers of one path are not supported. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.tmp`;
  const file = openSync(draft, "w", 0o600);
  try {
    // on an almost full disk, `writeSync` may write only a part and report no error
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
