import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LoadedFiles, listDifferentFiles } from "@skein/agents/loaded-files";
import type { TrustedFileChange } from "@skein/contracts";
import type { RepositoryFiles } from "@skein/host";
import { z } from "zod";

/** SHA-256 by path. */
type FileHashes = Readonly<Record<string, string>>;

const longestText = 256 * 1024;

/** Stores the text of trusted files by hash, to show later changes. Nothing is ever run from here. */
export interface TrustedContents {
  keep(directory: string, files: FileHashes): Promise<void>;
  describeChanges(input: { directory: string; loaded: LoadedFiles; trusted: FileHashes }): Promise<TrustedFileChange[]>;
}

export function openTrustedContents({ folder, files: repository }: { folder: string; files: RepositoryFiles }): TrustedContents {
  async function read(hash: string | undefined): Promise<string | undefined> {
    return hash === undefined ? undefined : readFile(join(folder, hash), "utf8").catch(() => undefined);
  }

  return {
    async keep(directory, files) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const [path, hash] of Object.entries(files)) {
        const text = existsSync(join(folder, hash)) ? undefined : await readText(repository, directory, path);
        if (text !== undefined) await writeFile(join(folder, hash), text, { mode: 0o600 });
      }
    },
    async describeChanges({ directory, loaded, trusted }) {
      const changes: TrustedFileChange[] = [];
      for (const path of listDifferentFiles(loaded, trusted)) {
        const isNew = !Object.hasOwn(trusted, path);
        const before = isNew ? "" : await read(trusted[path]);
        const after = await readText(repository, directory, path);
        changes.push({ path, change: isNew ? "added" : "changed", patch: await toPatch(path, before, after) });
      }
      return changes;
    },
  };
}

/**
 * Removes stored texts that no trust refers to. Removes nothing while a trust file cannot be read. `isOld` gets the modification time
 * of a text: a recent one may belong to a trust that is about to be stored.
 */
export async function pruneTrustedContents(home: string, { isOld }: { isOld(changedAtMs: number): boolean }): Promise<void> {
  const folder = join(home, "trusted-content");
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return;
  const referred = new Set<string>();
  for (const file of ["repository-trust.json", "mcp-trust.json"]) {
    const text = await readFile(join(home, file), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return '{"trusted":[]}';
      throw error;
    });
    const read = trustedSchema.safeParse(parseJson(text)).data;
    if (read === undefined) return;
    for (const { files = {} } of read.trusted) for (const hash of Object.values(files)) referred.add(hash);
  }
  for (const name of names) {
    const path = join(folder, name);
    if (!referred.has(name) && isOld((await lstat(path)).ctimeMs)) await unlink(path);
  }
}

const trustedSchema = z.object({ trusted: z.array(z.object({ files: z.record(z.string(), z.string()).optional() })) });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(repository: RepositoryFiles, directory: string, path: string): Promise<string | undefined> {
  const bytes = await repository.readSmallFile({ directory, path });
  if (!(bytes instanceof Uint8Array) || bytes.length > longestText || bytes.includes(0)) return undefined;
  return Buffer.from(bytes).toString("utf8");
}

async function toPatch(path: string, before: string | undefined, after: string | undefined): Promise<string | null> {
  if (before === undefined || after === undefined) return null;
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 3, maxEditLength: 2000 }) ?? null;
}
