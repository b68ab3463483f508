import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileContent, FolderEntry, FolderListing } from "@skein/contracts";
import { ServiceError } from "@skein/engine";

const maxEntries = 5000;
const maxTextBytes = 1024 * 1024;
/** For larger images only the size is returned. */
export const maxImageBytes = 5 * 1024 * 1024;

const imageTypes: Record<string, Extract<FileContent, { kind: "image" }>["mediaType"]> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** Lists one folder of the directory. Confined by real path (X10); the repository's own `.git` is hidden. */
export async function readFolder(directory: string, path: string): Promise<FolderListing> {
  const workspace = await open(directory);
  const place = await resolvePlace(workspace, path);
  const folder = await workspace.openDirectory(place.absolute).catch((error) => refuse(path, error));
  try {
    const found = (await readdir(folder.path, { withFileTypes: true })).filter(({ name }) => !isGit(name));
    const entries: FolderEntry[] = [];
    for (const entry of found.slice(0, maxEntries)) {
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await leadsToFolder(join(folder.path, entry.name))));
      const inFolder = place.relative === "." ? entry.name : `${place.relative}/${entry.name}`;
      entries.push({ name: entry.name, path: inFolder, kind: isFolder ? "folder" : "file" });
    }
    entries.sort((a, b) => (a.kind === b.kind ? a.name.localeCompare(b.name, "en") : a.kind === "folder" ? -1 : 1));
    return { path: place.relative, entries, truncated: found.length > maxEntries };
  } finally {
    await folder.close();
  }
}

/** Returns the first 1 MiB of a text file, an image, or only the size of any other file. */
export async function readFile(directory: string, path: string): Promise<FileContent> {
  const workspace = await open(directory);
  const place = await resolvePlace(workspace, path);
  const handle = await workspace.openFile(place).catch((error) => refuse(path, error));
  try {
    const { size } = await handle.stat();
    const wanted = findImageType(place.relative) === undefined ? maxTextBytes : size > maxImageBytes ? 0 : size;
    const bytes = Buffer.alloc(Math.min(size, wanted));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return toFileContent({ path: place.relative, size, bytes: bytes.subarray(0, bytesRead) });
  } finally {
    await handle.close();
  }
}

function findImageType(path: string) {
  const extension = path.split(".").at(-1)?.toLowerCase() ?? "";
  return Object.hasOwn(imageTypes, extension) ? imageTypes[extension] : undefined;
}

/** Converts the first bytes of a file, or all of them, to what a client can show. `size` is the size of the whole file. */
export function toFileContent({ path, size, bytes }: { path: string; size: number; bytes: Buffer }): FileContent {
  const common = { path, size };
  const mediaType = findImageType(path);
  if (mediaType !== undefined && bytes.length > 0) return { ...common, kind: "image", mediaType, data: bytes.toString("base64") };
  if (mediaType !== undefined || bytes.includes(0)) return { ...common, kind: "binary" };
  const truncated = bytes.length < size;
  // drop a character that the limit cut in half
  return { ...common, kind: "text", content: new TextDecoder().decode(bytes, { stream: truncated }), truncated };
}

/** Imported lazily to keep server start-up fast. */
async function open(directory: string) {
  const { openWorkspace } = await import("@skein/agents/workspace");
  return openWorkspace(directory).catch((cause: unknown) => {
    throw new ServiceError("not-found", { code: "folder-not-found", directory }, { cause });
  });
}

type Workspace = Awaited<ReturnType<typeof open>>;

async function resolvePlace(workspace: Workspace, path: string): Promise<Awaited<ReturnType<Workspace["resolve"]>>> {
  const place = await workspace.resolve(path).catch((error) => refuse(path, error));
  if (!place.exists || place.relative.split("/").some(isGit)) refuse(path);
  return place;
}

/** HFS+ and NTFS are case-insensitive: `.GIT` is `.git`. */
function isGit(name: string): boolean {
  return name.toLowerCase() === ".git";
}

/** Paths outside the folder get the same error as missing ones, so that the response does not reveal whether they exist. */
function refuse(path: string, cause?: unknown): never {
  throw new ServiceError("not-found", { code: "file-not-found", path }, { cause });
}

async function leadsToFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
