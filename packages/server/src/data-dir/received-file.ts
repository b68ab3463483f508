import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const oldMs = 24 * 3_600_000;
const prefix = "upload-";

/** A file that a client has sent. */
export interface ReceivedFile {
  bytes: number;
  /** SHA-256 of its content. */
  fingerprint: string;
  /** Its text, in pieces. */
  read(): AsyncIterable<string>;
  remove(): Promise<void>;
}

/** Stores what a client sends in a private file, as fast as the disk takes it. Whatever fails, nothing of it stays. */
export async function receiveFile(content: AsyncIterable<Uint8Array>, folder: string): Promise<ReceivedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOldFiles(folder);
  const path = join(folder, `${prefix}${randomUUID()}.json`);
  const remove = () => rm(path, { force: true });
  const hash = createHash("sha256");
  let bytes = 0;
  const handle = await open(path, "wx", 0o600);
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await handle.writeFile(chunk);
    }
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await handle.close();
  }
  return { bytes, fingerprint: hash.digest("hex"), read: () => createReadStream(path, { encoding: "utf8" }), remove };
}

/** A server that was killed leaves its file. */
async function removeOldFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue;
    const stats = await lstat(join(folder, name)).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > oldMs) await rm(join(folder, name), { force: true });
  }
}
