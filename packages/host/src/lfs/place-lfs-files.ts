import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { openWorkspace, type Workspace, type WorkspacePath } from "@skein/agents/workspace";
import { decodeBytes } from "../git/byte-path.ts";
import type { GitFolder } from "../git/git-folder.ts";
import { type LfsPointer, maxPointerBytes, parseLfsPointer, rememberLfsFile } from "../git/lfs-pointer.ts";
import type { LfsFile } from "./list-lfs-files.ts";

/** What became of the files that were pointers. */
export interface PlacedLfsFiles {
  /** Their objects are not in the repository's own store, or are not what their names say. */
  missing: number;
  /** The disk has no room for them. */
  tooLarge: number;
}

/** So much of the free space stays free. */
const reservedShare = 0.1;

/**
 * Puts the files that Git LFS stores in the place of their pointers: from `lfs/objects` in the repository, where each is named by
 * the SHA-256 of its content. The content is compared with that name, so that nothing but what the commit stands for is copied,
 * and no program runs. A file that is no longer its pointer stays as it is.
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

/** Undefined where something else is in its place by now, or leads elsewhere. */
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
  // a pipe in its place would keep us waiting
  const object = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  const stats = await object?.stat({ bigint: true });
  if (stats?.isFile() && stats.size === size) return object;
  await object?.close();
  return undefined;
}

/** False where the object is not what its name says: nothing is left of it then. */
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

/** Returns the SHA-256 of what was copied. Reads no more than `size`: the object may be growing. */
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
