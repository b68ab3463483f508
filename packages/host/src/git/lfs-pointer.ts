import { createHash } from "node:crypto";
import { type BigIntStats, createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { toFsPath } from "./byte-path.ts";

/*
 * With Git LFS, git stores a pointer: the size and SHA-256 of the file. These suffice to compare a file without running the LFS
 * filter, a program that reads the repository's settings.
 */

export interface LfsPointer {
  sha256: string;
  size: bigint;
}

export const maxPointerBytes = 1024;

/** Undefined if the content is not a pointer. */
export function parseLfsPointer(content: string): LfsPointer | undefined {
  if (content.length > maxPointerBytes || !content.startsWith("version https://git-lfs.github.com/spec/v1\n")) return undefined;
  const sha256 = /^oid sha256:([0-9a-f]{64})$/m.exec(content)?.[1];
  const size = /^size (\d{1,18})$/m.exec(content)?.[1];
  return sha256 === undefined || size === undefined ? undefined : { sha256, size: BigInt(size) };
}

const maxKnown = 100_000;
/** Hashes by path, size and times: avoids reading a gigabyte for every diff. */
const known = new Map<string, string>();

/** Whether the file on disk is the one that a pointer represents. */
export async function isStoredByLfs(directory: string, bytePath: string, pointer: LfsPointer): Promise<boolean> {
  const path = toFsPath(directory, bytePath);
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!stats?.isFile() || stats.size !== pointer.size) return false;
  const sha256 = known.get(toStamp(path, stats)) ?? (await hashFile(path).catch(() => ""));
  remember(path, stats, sha256);
  return sha256 === pointer.sha256;
}

/** Caches the hash of a file that was just written, so that the first diff need not read it. */
export async function rememberLfsFile(path: string, sha256: string): Promise<void> {
  const name = Buffer.from(path);
  const stats = await lstat(name, { bigint: true }).catch(() => undefined);
  if (stats?.isFile()) remember(name, stats, sha256);
}

function remember(path: Buffer, stats: BigIntStats, sha256: string): void {
  if (known.size >= maxKnown) known.clear();
  known.set(toStamp(path, stats), sha256);
}

function toStamp(path: Buffer, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [path.toString("latin1"), dev, ino, size, mtimeNs, ctimeNs].join("\0");
}

async function hashFile(path: Buffer): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
