import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";

/** Writes a 0600 file as a whole: a crash leaves the old content or the new one. Two writers of one path must not run at once. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.tmp`;
  const file = openSync(draft, "w", 0o600);
  try {
    // `writeSync` may write a part of it on a disk that is almost full, and report no error
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
