import { readdir } from "node:fs/promises";
import { posix } from "node:path";
import { z } from "zod";
import { folderPathSchema } from "./file-path-schema.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment } from "./tool.ts";

const maximumEntries = 1000;

export function createListTool({ workspace }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "list",
    access: "read",
    description: "Lists what is in one folder, one path per line; folders end with /. Use glob to find files in all folders below.",
    schema: z.strictObject({ path: folderPathSchema }),
    async run({ path = "." }) {
      const folder = await workspace.resolve(path);
      if (!folder.exists) return failed(`${folder.relative} does not exist.`);
      const directory = await workspace.openDirectory(folder.absolute);
      const entries = await readdir(directory.path, { withFileTypes: true }).finally(() => directory.close());
      const files = entries
        .filter((entry) => entry.name !== ".git")
        .map((entry) => posix.join(folder.relative, entry.name) + (entry.isDirectory() ? "/" : ""))
        .sort();
      const shown = files.slice(0, maximumEntries);
      const remark =
        files.length === 0
          ? ["(the folder is empty)"]
          : files.length > shown.length
            ? [`(${files.length - shown.length} more entries)`]
            : [];
      return { output: [...shown, ...remark].join("\n"), state: "completed", structured: { files: shown } };
    },
  });
}
