import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Waits until commits are on disk, without blocking the process. */
export interface WalSync {
  sync(): Promise<void>;
  /** False if the open WAL is no longer the file of that name: commits would be lost. */
  isInPlace(): Promise<boolean>;
  close(): Promise<void>;
}

/** For the database `file`, whose WAL exists from the first commit on and is never replaced while a connection is open. */
export function createWalSync(file: string): WalSync {
  const path = `${file}-wal`;
  let wal: FileHandle | undefined;

  async function openWal(): Promise<FileHandle> {
    const handle = await open(path, "r");
    // the directory entry must survive, too
    const folder = await open(dirname(file), "r");
    await folder.sync().finally(() => folder.close());
    return handle;
  }

  return {
    async sync() {
      wal ??= await openWal();
      await wal.datasync();
    },
    async isInPlace() {
      if (wal === undefined) return true;
      const [opened, named] = [await wal.stat(), await stat(path).catch(() => undefined)];
      return named?.ino === opened.ino && named.dev === opened.dev;
    },
    async close() {
      await wal?.close();
    },
  };
}
