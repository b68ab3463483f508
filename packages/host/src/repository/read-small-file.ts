import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileProblem } from "@skein/contracts";

const largestFile = 1024 * 1024;

/** Undefined if the file does not exist. Never follows links and never blocks on a pipe: a repository may contain both. */
export async function readSmallBytes(path: string): Promise<Buffer | { problem: FileProblem } | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { problem: code === "ELOOP" ? { code: "file-is-link" } : { code: "file-unreadable", error: code ?? "" } };
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { problem: { code: "file-not-regular" } };
    if (stats.size > largestFile) return { problem: { code: "file-too-large", maxBytes: largestFile } };
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export async function readSmallFile(path: string): Promise<string | { problem: FileProblem } | undefined> {
  const read = await readSmallBytes(path);
  return Buffer.isBuffer(read) ? read.toString("utf8") : read;
}
