import { z } from "zod";
import { writeFileAtomically } from "../workspace/write-file-atomically.ts";
import { applyEdit } from "./apply-edit.ts";
import { toStructuredChange } from "./file-change.ts";
import { filePathSchema } from "./file-path-schema.ts";
import { readTextFile } from "./read-text-file.ts";
import { refuseProtected } from "./refuse-protected.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment } from "./tool.ts";

export function createEditTool({ workspace }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "edit",
    access: "edit",
    description:
      "Replaces a piece of text in a file that exists. oldText has to match exactly, white space included, and fit only one place " +
      "unless replaceAll is set. Read the file first; leave out the line numbers that read puts in front.",
    schema: z.strictObject({
      path: filePathSchema,
      oldText: z.string().describe("The text to replace, exactly as it is in the file"),
      newText: z.string().describe("What takes its place"),
      replaceAll: z.boolean().optional().describe("Replace every occurrence"),
    }),
    findProtection: async ({ path }) => (await workspace.resolve(path)).protection,
    async run({ path, oldText, newText, replaceAll = false }, { protectedAllowed, signal }) {
      const resolved = await workspace.resolve(path);
      refuseProtected(resolved, protectedAllowed);
      const file = await readTextFile(workspace, resolved);
      const edited = applyEdit(file.text, { oldText, newText, replaceAll });
      if (!edited.ok) return failed(`${resolved.relative} was not changed: ${edited.error}`);
      const mark = file.hasByteOrderMark ? "\uFEFF" : "";
      signal.throwIfAborted();
      await writeFileAtomically(workspace, resolved, Buffer.from(mark + edited.text), file.mode);
      return {
        output: `Replaced ${edited.count === 1 ? "one occurrence" : `${edited.count} occurrences`} in ${resolved.relative}.`,
        state: "completed",
        structured: await toStructuredChange({ filePath: resolved.relative, oldContent: file.text, newContent: edited.text }),
      };
    },
  });
}
