import { z } from "zod";
import { readTextFile } from "../workspace/read-text-file.ts";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { writeFileAtomically } from "../workspace/write-file-atomically.ts";
import { toStructuredChange } from "./file-change.ts";
import { filePathSchema } from "./file-path-schema.ts";
import { refuseProtected } from "./refuse-protected.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment } from "./tool.ts";

export function createWriteTool({ workspace, folderInstructions }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "write",
    access: "edit",
    description:
      "Writes a whole file: creates it, with the folders that are missing, or replaces what was in it. " +
      "To change a part of a file that exists, use edit.",
    schema: z.strictObject({ path: filePathSchema, content: z.string().describe("The whole content of the file") }),
    findProtection: async ({ path }) => (await workspace.resolve(path)).protection,
    async run({ path, content }, { protectedAllowed, signal }) {
      const resolved = await workspace.resolve(path);
      refuseProtected(resolved, protectedAllowed);
      if (resolved.relative === ".") return failed("The path names the working folder itself; give the path of a file.");
      const previous = resolved.exists ? await readPrevious(workspace, resolved) : undefined;
      signal.throwIfAborted();
      await writeFileAtomically(workspace, resolved, Buffer.from(content), previous?.mode ?? 0o644);
      const change = { filePath: resolved.relative, oldContent: previous?.text ?? null, newContent: content };
      const created = previous === undefined;
      return {
        output: `${created ? `Created ${resolved.relative}.` : `Replaced the content of ${resolved.relative}.`}${await folderInstructions.take(resolved)}`,
        state: "completed",
        structured: await toStructuredChange(change, { created }),
      };
    },
  });
}

/** The text is null if the old content was not text: then there is no diff. */
async function readPrevious(workspace: Workspace, path: WorkspacePath): Promise<{ text: string | null; mode: number }> {
  const handle = await workspace.openFile(path);
  const { mode } = await handle.stat().finally(() => handle.close());
  const file = await readTextFile(workspace, path).catch(() => undefined);
  return { text: file === undefined ? null : (file.hasByteOrderMark ? "\uFEFF" : "") + file.text, mode: mode & 0o7777 };
}
