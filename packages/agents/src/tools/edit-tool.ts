import { z } from "zod";
import { readTextFile } from "../workspace/read-text-file.ts";
import { writeFileAtomically } from "../workspace/write-file-atomically.ts";
import { applyEdits, type TextEdit } from "./apply-edits.ts";
import { toStructuredChange } from "./file-change.ts";
import { filePathSchema } from "./file-path-schema.ts";
import { refuseProtected } from "./refuse-protected.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment } from "./tool.ts";

const editFields = {
  oldText: z.string().describe("The text to replace, exactly as it is in the file"),
  newText: z.string().describe("What takes its place"),
  replaceAll: z.boolean().optional().describe("Replace every occurrence"),
};

export function createEditTool({ workspace, folderInstructions }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "edit",
    access: "edit",
    description:
      "Replaces text in a file that exists. oldText has to match exactly, white space included, and fit only one place unless " +
      "replaceAll is set. For several places give edits instead: they are made one after the other, all of them or none. " +
      "Read the file first; leave out the line numbers that read puts in front.",
    schema: z.strictObject({
      path: filePathSchema,
      oldText: editFields.oldText.optional(),
      newText: editFields.newText.optional(),
      replaceAll: editFields.replaceAll,
      edits: z.array(z.strictObject(editFields)).min(1).max(200).optional().describe("Several replacements in this file"),
    }),
    findProtection: async ({ path }) => (await workspace.resolve(path)).protection,
    async run(input, { protectedAllowed, signal }) {
      const edits = toEdits(input);
      if (edits === undefined) return failed("Give either oldText and newText, or edits; not both.");
      const resolved = await workspace.resolve(input.path);
      refuseProtected(resolved, protectedAllowed);
      const file = await readTextFile(workspace, resolved);
      const edited = applyEdits(file.text, edits);
      if (!edited.ok) return failed(`${resolved.relative} was not changed: ${edited.error}`);
      const mark = file.hasByteOrderMark ? "\uFEFF" : "";
      signal.throwIfAborted();
      await writeFileAtomically(workspace, resolved, Buffer.from(mark + edited.text), file.mode);
      const count = edited.count === 1 ? "one occurrence" : `${edited.count} occurrences`;
      return {
        output: `Replaced ${count} in ${resolved.relative}.${await folderInstructions.take(resolved)}`,
        state: "completed",
        structured: await toStructuredChange({ filePath: resolved.relative, oldContent: file.text, newContent: edited.text }),
      };
    },
  });
}

interface EditInput {
  oldText?: string | undefined;
  newText?: string | undefined;
  replaceAll?: boolean | undefined;
  edits?: { oldText: string; newText: string; replaceAll?: boolean | undefined }[] | undefined;
}

/** Undefined if it is neither the single form nor the list. */
function toEdits({ oldText, newText, replaceAll = false, edits }: EditInput): TextEdit[] | undefined {
  if (oldText !== undefined && newText !== undefined && edits === undefined) return [{ oldText, newText, replaceAll }];
  if (oldText !== undefined || newText !== undefined) return undefined;
  return edits?.map((edit) => ({ ...edit, replaceAll: edit.replaceAll ?? replaceAll }));
}
