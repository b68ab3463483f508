import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";

/** Writes a 0600 file as a whole: a crash leaves the old content or the new one. Two writers of one path must not run at once. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.tmp`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
