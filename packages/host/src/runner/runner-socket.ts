import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The kernel limits socket paths to about 104 bytes, however long the data dir's path is. */
const maxSocketPathBytes = 100;

export function runnerSocketPath(home: string, executionId: string): string {
  const inHome = join(home, "run", `${executionId}.sock`);
  if (Buffer.byteLength(inHome) <= maxSocketPathBytes) {
    mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
    return inHome;
  }
  const folder = join(tmpdir(), `skein-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = lstatSync(folder);
  if (!owner.isDirectory() || (process.getuid !== undefined && owner.uid !== process.getuid())) {
    throw new Error(`${folder} belongs to another user. Remove it, or choose a shorter SKEIN_HOME.`);
  }
  chmodSync(folder, 0o700);
  return join(folder, `${executionId.slice(-16)}.sock`);
}
