import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ToolProcessorFile, ToolProcessorList } from "@skein/contracts";
import { type PresentTool, presentTool } from "@skein/engine";
import type { Logger } from "../logger.ts";
import type { ToolProcessorThread } from "./tool-processor-thread.ts";

const maxFiles = 50;

/** The user's own tool processors: `<data dir>/tool-processors/*.{ts,js}` (T8). */
export interface ToolProcessors {
  /** Loads new and changed files, and returns a presenter that uses them. Without files: the shipped processors, at no cost. */
  load(): Promise<PresentTool>;
  list(): Promise<ToolProcessorList>;
  close(): Promise<void>;
}

interface LoadedFile {
  /** Changes with the file. */
  version: string;
  thread: ToolProcessorThread;
}

export function createToolProcessors({
  folder,
  logger,
  now = Date.now,
}: {
  folder: string;
  logger: Logger;
  now?: () => number;
}): ToolProcessors {
  /** Sorted by name: the first file that handles a tool presents it. */
  let files = new Map<string, LoadedFile>();
  let refused: ToolProcessorFile[] = [];
  let refreshing: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const found = await findFiles(folder);
    refused = found.flatMap(({ file, refusal }) => (refusal === undefined ? [] : [toRefused(file, refusal, now())]));
    const usable = found.filter(({ refusal }) => refusal === undefined);
    const stale = [...files].filter(([file, { version }]) => !usable.some((one) => one.file === file && one.version === version));
    const next = await Promise.all(
      usable.map(async ({ file, version }): Promise<[string, LoadedFile]> => {
        const known = files.get(file);
        return [file, known?.version === version ? known : { version, thread: await start(file) }];
      }),
    );
    files = new Map(next);
    await Promise.all(stale.map(([, { thread }]) => thread.close()));
  }

  async function start(file: string): Promise<ToolProcessorThread> {
    // imported lazily: most servers have no such files
    const { startToolProcessorThread } = await import("./tool-processor-thread.ts");
    const onFailure = (reason: string) => logger.warn("a tool processor failed", { file, reason });
    return startToolProcessorThread({ file, path: join(folder, file), now, onFailure });
  }

  function refreshOnce(): Promise<void> {
    refreshing ??= refresh()
      .catch((error: unknown) => logger.warn("tool processors could not be listed", { error }))
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  const present: PresentTool = (observation) => {
    for (const [file, { thread }] of files) {
      if (!thread.claims(observation.toolName)) continue;
      try {
        return thread.present(observation);
      } catch (error) {
        return { ...presentTool(observation), failure: { file, reason: (error as Error).message } };
      }
    }
    return presentTool(observation);
  };

  return {
    async load() {
      await refreshOnce();
      return files.size === 0 ? presentTool : present;
    },
    async list() {
      await refreshOnce();
      return { folder, files: [...[...files.values()].map(({ thread }) => thread.about), ...refused] };
    },
    async close() {
      await refreshing;
      await Promise.all([...files.values()].map(({ thread }) => thread.close()));
      files = new Map();
    },
  };
}

async function findFiles(folder: string): Promise<{ file: string; version: string; refusal?: string }[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const modules = names.filter((name) => /\.[tj]s$/.test(name) && !name.endsWith(".d.ts")).sort();
  return Promise.all(
    modules.map(async (file, index) => {
      const stat = await lstat(join(folder, file));
      const version = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
      if (index >= maxFiles) return { file, version, refusal: `only the first ${maxFiles} files are loaded` };
      // a link could lead into a repository that others write
      return stat.isFile() ? { file, version } : { file, version, refusal: "it is no regular file; copy it here instead of linking to it" };
    }),
  );
}

function toRefused(file: string, reason: string, at: number): ToolProcessorFile {
  return { file, toolNames: [], recognises: false, state: "failed", error: { reason, at } };
}
