import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LoadedFiles, listDifferentFiles } from "@skein/agents/loaded-files";
import type { TrustedFileChange } from "@skein/contracts";
import type { FileHashes } from "./covered-files.ts";
import { readSmallBytes } from "./read-small-file.ts";

const longestText = 256 * 1024;

/** Keeps the text of trusted files by their hashes, to show what has changed since. What runs is never read from here. */
export interface TrustedContents {
  keep(directory: string, files: FileHashes): Promise<void>;
  describeChanges(input: { directory: string; loaded: LoadedFiles; trusted: FileHashes }): Promise<TrustedFileChange[]>;
}

export function openTrustedContents(folder: string): TrustedContents {
  async function read(hash: string | undefined): Promise<string | undefined> {
    return hash === undefined ? undefined : readFile(join(folder, hash), "utf8").catch(() => undefined);
  }

  return {
    async keep(directory, files) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const [path, hash] of Object.entries(files)) {
        const text = existsSync(join(folder, hash)) ? undefined : await readText(join(directory, path));
        if (text !== undefined) await writeFile(join(folder, hash), text, { mode: 0o600 });
      }
    },
    async describeChanges({ directory, loaded, trusted }) {
      const changes: TrustedFileChange[] = [];
      for (const path of listDifferentFiles(loaded, trusted)) {
        const isNew = !Object.hasOwn(trusted, path);
        const before = isNew ? "" : await read(trusted[path]);
        const after = await readText(join(directory, path));
        changes.push({ path, change: isNew ? "added" : "changed", patch: await toPatch(path, before, after) });
      }
      return changes;
    },
  };
}

async function readText(path: string): Promise<string | undefined> {
  const bytes = await readSmallBytes(path);
  if (!Buffer.isBuffer(bytes) || bytes.length > longestText || bytes.includes(0)) return undefined;
  return bytes.toString("utf8");
}

async function toPatch(path: string, before: string | undefined, after: string | undefined): Promise<string | null> {
  if (before === undefined || after === undefined) return null;
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, { context: 3, maxEditLength: 2000 }) ?? null;
}
