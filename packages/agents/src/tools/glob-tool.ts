import { lstat } from "node:fs/promises";
import { posix } from "node:path";
import { z } from "zod";
import { walkFiles } from "../workspace/walk-files.ts";
import { folderPathSchema } from "./file-path-schema.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment } from "./tool.ts";

const maximumFiles = 500;
const maximumVisited = 200_000;

export function createGlobTool({ workspace }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "glob",
    access: "read",
    description:
      "Finds files by name, for example **/*.ts or src/**/test-*.{js,ts}, the most recently changed first. " +
      "What .gitignore leaves out is left out here, too.",
    schema: z.strictObject({
      pattern: z.string().min(1).max(1000).describe("Glob pattern, relative to the folder"),
      path: folderPathSchema,
    }),
    async run({ pattern, path = "." }, { signal }) {
      const folder = await workspace.resolve(path);
      if (!folder.exists) return failed(`${folder.relative} does not exist.`);
      const { default: picomatch } = await import("picomatch"); // not at every start of the agent
      const matches = picomatch(pattern, { dot: true });
      const found: string[] = [];
      let visited = 0;
      for await (const file of walkFiles(workspace, folder, signal)) {
        if (++visited > maximumVisited) break;
        if (matches(folder.relative === "." ? file.relative : posix.relative(folder.relative, file.relative))) found.push(file.relative);
      }
      const files = await newestFirst(workspace.root, found);
      const shown = files.slice(0, maximumFiles);
      const remarks = [
        ...(files.length === 0 ? ["(no file matches)"] : []),
        ...(files.length > shown.length ? [`(${files.length - shown.length} more files match; use a narrower pattern)`] : []),
        ...(visited > maximumVisited ? [`(only the first ${maximumVisited} files were looked at; start in a smaller folder)`] : []),
      ];
      return { output: [...shown, ...remarks].join("\n"), state: "completed", structured: { files: shown } };
    },
  });
}

async function newestFirst(root: string, files: readonly string[]): Promise<string[]> {
  const dated: { file: string; changedAt: number }[] = [];
  for (let start = 0; start < files.length; start += 64) {
    const batch = files.slice(start, start + 64).map(async (file) => ({
      file,
      changedAt: await lstat(posix.join(root, file)).then(
        (stats) => stats.mtimeMs,
        () => 0,
      ),
    }));
    dated.push(...(await Promise.all(batch)));
  }
  return dated.sort((a, b) => b.changedAt - a.changedAt || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}
