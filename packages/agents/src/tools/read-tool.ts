import { takeStart } from "@skein/engine";
import { z } from "zod";
import { filePathSchema } from "./file-path-schema.ts";
import { readTextFile } from "./read-text-file.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment } from "./tool.ts";

const maximumLines = 2000;
const maximumLength = 256 * 1024;
const maximumLineLength = 2000;

export function createReadTool({ workspace }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "read",
    access: "read",
    description:
      "Reads a text file. Every line is given with its number and a tab in front, which are not part of the file. " +
      `At most ${maximumLines} lines at a time: use offset and limit to read on.`,
    schema: z.strictObject({
      path: filePathSchema,
      offset: z.int().positive().optional().describe("Line to start at, counted from 1"),
      limit: z.int().positive().max(maximumLines).optional().describe(`How many lines to read; ${maximumLines} when left out`),
    }),
    async run({ path, offset = 1, limit = maximumLines }) {
      const resolved = await workspace.resolveReadable(path);
      const { text } = await readTextFile(workspace, resolved);
      const lines = splitLines(text);
      if (offset > Math.max(1, lines.length)) {
        return failed(`${resolved.relative} has ${lines.length} lines; line ${offset} is behind its end.`);
      }
      const shown: string[] = [];
      let length = 0;
      for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
        const kept = line.length > maximumLineLength ? `${takeStart(line, maximumLineLength)}… (line cut)` : line;
        length += kept.length + 1;
        if (length > maximumLength && shown.length > 0) break;
        shown.push(kept);
      }
      const last = offset + shown.length - 1;
      const numbered = shown.map((line, index) => `${String(offset + index).padStart(6)}\t${line}`);
      if (lines.length === 0) numbered.push("(the file is empty)");
      else if (last < lines.length) numbered.push(`(lines ${offset} to ${last} of ${lines.length}; read on with offset ${last + 1})`);
      return {
        output: numbered.join("\n"),
        state: "completed",
        structured: { filePath: resolved.relative, content: shown.join("\n"), startLine: offset, totalLines: lines.length },
      };
    },
  });
}

/** A last line end ends the last line; it does not begin another. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
