import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileContent, FolderEntry, FolderListing } from "@skein/contracts";
import { ServiceError } from "@skein/engine";

const maxEntries = 5000;
const maxTextBytes = 1024 * 1024;
/** A larger image is reported by its size alone. */
export const maxImageBytes = 5 * 1024 * 1024;

const imageTypes: Record<string, Extract<FileContent, { kind: "image" }>["mediaType"]> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** What is in one folder of the directory. Confined by real path (X10); the repository's own `.git` is not shown. */
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

/** A text up to 1 MiB (the beginning of a longer one), an image, or only the size of anything else. */
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

/** What a client can show of a file whose first bytes, or all of them, were read. `size` is that of the whole file. */
export function toFileContent({ path, size, bytes }: { path: string; size: number; bytes: Buffer }): FileContent {
  const common = { path, size };
  const mediaType = findImageType(path);
  if (mediaType !== undefined && bytes.length > 0) return { ...common, kind: "image", mediaType, data: bytes.toString("base64") };
  if (mediaType !== undefined || bytes.includes(0)) return { ...common, kind: "binary" };
  const truncated = bytes.length < size;
  // A character that the cut went through is left out, not shown broken.
  return { ...common, kind: "text", content: new TextDecoder().decode(bytes, { stream: truncated }), truncated };
}

/** Loaded when it is first needed: a server that starts has no use for it yet. */
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

/** HFS+ and NTFS do not tell `.GIT` from `.git`. */
function isGit(name: string): boolean {
  return name.toLowerCase() === ".git";
}

/** What is outside is not there: the answer does not tell whether it exists. */
function refuse(path: string, cause?: unknown): never {
  throw new ServiceError("not-found", { code: "file-not-found", path }, { cause });
}

async function leadsToFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
