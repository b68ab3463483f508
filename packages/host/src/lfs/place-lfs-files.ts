import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { openWorkspace, type Workspace, type WorkspacePath } from "@skein/agents/workspace";
import { decodeBytes } from "../git/byte-path.ts";
import type { GitFolder } from "../git/git-folder.ts";
import { type LfsPointer, maxPointerBytes, parseLfsPointer, rememberLfsFile } from "../git/lfs-pointer.ts";
import type { LfsFile } from "./list-lfs-files.ts";

/** Files that are still pointers. */
export interface PlacedLfsFiles {
  /** Their objects are missing from the repository's store or do not match their hash. */
  missing: number;
  /** The disk does not have enough free space. */
  tooLarge: number;
}

/** Share of the free space that is never used. */
const reservedShare = 0.1;

/**
 * Replaces LFS pointers by their contents, from `lfs/objects` in the repository, where each object is named by its SHA-256. The hash
 * is verified, so only the committed content is copied, and no program runs. Files that are no longer their pointer stay unchanged.
 */
export async function placeLfsFiles(folder: GitFolder, files: readonly LfsFile[]): Promise<PlacedLfsFiles> {
  const workspace = await openWorkspace(folder.directory);
  const { bavail, bsize } = await statfs(workspace.root, { bigint: true });
  let room = BigInt(Math.floor(Number(bavail * bsize) * (1 - reservedShare)));
  const placed: PlacedLfsFiles = { missing: 0, tooLarge: 0 };
  for (const { bytePath, pointer } of files) {
    const target = await findPointerFile(workspace, bytePath, pointer);
    if (target === undefined) continue;
    const object = await openObject(folder, pointer);
    if (object === undefined) {
      placed.missing += 1;
      continue;
    }
    try {
      if (pointer.size > room) placed.tooLarge += 1;
      else if (await place({ workspace, target, object, pointer })) room -= pointer.size;
      else placed.missing += 1;
    } finally {
      await object.close();
    }
  }
  return placed;
}

interface PointerFile {
  path: WorkspacePath;
  mode: number;
}

/** Undefined if the path is no longer the pointer, or leads out of the folder. */
async function findPointerFile(workspace: Workspace, bytePath: string, pointer: LfsPointer): Promise<PointerFile | undefined> {
  const { text, isExact } = decodeBytes(bytePath);
  const path = isExact ? await workspace.resolve(text).catch(() => undefined) : undefined;
  if (path === undefined || !path.exists || path.relative !== text) return undefined;
  const file = await workspace.openFile(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size, mode } = await file.stat();
    if (size > maxPointerBytes) return undefined;
    const found = parseLfsPointer(await file.readFile("latin1"));
    return found?.sha256 === pointer.sha256 ? { path, mode: mode & 0o777 } : undefined;
  } finally {
    await file.close();
  }
}

async function openObject({ commonDir }: GitFolder, { sha256, size }: LfsPointer): Promise<FileHandle | undefined> {
  const path = join(commonDir, "lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  // opening a pipe would block
  const object = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  const stats = await object?.stat({ bigint: true });
  if (stats?.isFile() && stats.size === size) return object;
  await object?.close();
  return undefined;
}

/** Returns false, and leaves no file, if the object does not match its hash. */
async function place(input: { workspace: Workspace; target: PointerFile; object: FileHandle; pointer: LfsPointer }): Promise<boolean> {
  const { workspace, target, object, pointer } = input;
  const parent = await workspace.openParent(target.path);
  const draft = `.skein-lfs-${randomUUID()}`;
  try {
    const created = await parent.createFile(draft, 0o600);
    try {
      if ((await copy(object, created, pointer.size)) !== pointer.sha256) return false;
      await created.chmod(target.mode);
    } finally {
      await created.close();
    }
    await parent.rename(draft, basename(target.path.absolute));
    await rememberLfsFile(target.path.absolute, pointer.sha256);
    return true;
  } finally {
    await parent.removeFile(draft);
    await parent.close();
  }
}

/** Returns the SHA-256 of the copied bytes. Copies at most `size`, because the object may be growing. */
async function copy(from: FileHandle, to: FileHandle, size: bigint): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(1024 * 1024);
  for (let left = size; left > 0n; ) {
    const { bytesRead } = await from.read(chunk, 0, chunk.length);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    hash.update(bytes);
    await to.writeFile(bytes);
    left -= BigInt(bytesRead);
  }
  return hash.digest("hex");
}
