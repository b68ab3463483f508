import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Waits until what was committed is on the disk, without blocking the process. */
export interface WalSync {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** For the database `file`, whose WAL exists from the first commit on and is never replaced while a connection is open. */
export function createWalSync(file: string): WalSync {
  let wal: FileHandle | undefined;

  async function openWal(): Promise<FileHandle> {
    const handle = await open(`${file}-wal`, "r");
    // its name must survive as well
    const folder = await open(dirname(file), "r");
    await folder.sync().finally(() => folder.close());
    return handle;
  }

  return {
    async sync() {
      wal ??= await openWal();
      await wal.datasync();
    },
    async close() {
      await wal?.close();
    },
  };
}
