import { findImageProblem, takeStart } from "@skein/engine";
import { z } from "zod";
import { maximumFileBytes, readTextFile } from "../workspace/read-text-file.ts";
import { type Workspace, WorkspaceError, type WorkspacePath } from "../workspace/workspace.ts";
import { filePathSchema } from "./file-path-schema.ts";
import { describeImageProblem, findImageType, maximumImageBytes } from "./image-file.ts";
import { toNotebookText } from "./notebook-text.ts";
import { scanLines } from "./scan-lines.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment, type ToolOutcome } from "./tool.ts";

const maximumLines = 2000;
const maximumLength = 128 * 1024;
const maximumLineLength = 2000;

export function createReadTool({ workspace, folderInstructions }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "read",
    access: "read",
    description:
      "Reads a file: text, a picture (PNG, JPEG, GIF, WebP), or a Jupyter notebook as its cells and outputs. Every line of text is given " +
      "with its number and a tab in front, which are not part of the file. " +
      `At most ${maximumLines} lines at a time: use offset and limit to read on.`,
    schema: z.strictObject({
      path: filePathSchema,
      offset: z.int().positive().optional().describe("Line to start at, counted from 1"),
      limit: z.int().positive().max(maximumLines).optional().describe(`How many lines to read; ${maximumLines} when left out`),
    }),
    async run({ path, offset = 1, limit = maximumLines }, { signal }) {
      const resolved = await workspace.resolveReadable(path);
      const outcome =
        (await readMedia(workspace, resolved)) ??
        (await readLargeFile(workspace, resolved, { offset, limit, signal })) ??
        (await readLines(workspace, resolved, { offset, limit }));
      if (outcome.state !== "completed") return outcome;
      return { ...outcome, output: outcome.output + (await folderInstructions.take(resolved)) };
    },
  });
}

/** Undefined for everything that is read as text. */
async function readMedia(workspace: Workspace, path: WorkspacePath): Promise<ToolOutcome | undefined> {
  if (!path.exists) return undefined;
  const handle = await workspace.openFile(path);
  try {
    const start = Buffer.alloc(16);
    await handle.read(start, 0, start.length, 0);
    if (start.toString("latin1", 0, 5) === "%PDF-") {
      return failed(`${path.relative} is a PDF, which this tool cannot read. Use bash, for example pdftotext, where it is installed.`);
    }
    const mediaType = findImageType(start);
    if (mediaType === undefined) return undefined;
    const { size } = await handle.stat();
    if (size > maximumImageBytes) {
      return failed(`${path.relative} has ${size} bytes; pictures can have ${maximumImageBytes}. Make a smaller copy with bash first.`);
    }
    const data = (await handle.readFile()).toString("base64");
    const problem = findImageProblem(data);
    if (problem) return failed(describeImageProblem(path.relative, problem));
    return {
      output: `${path.relative}: ${mediaType}, ${size} bytes`,
      images: [{ type: "image", mediaType, data }],
      state: "completed",
      structured: { filePath: path.relative, mediaType },
    };
  } finally {
    await handle.close();
  }
}

/** A few lines of a file that is too large for memory, for example a spilled output. Undefined for smaller ones. */
async function readLargeFile(
  workspace: Workspace,
  path: WorkspacePath,
  range: { offset: number; limit: number; signal: AbortSignal },
): Promise<ToolOutcome | undefined> {
  if (!path.exists) return undefined;
  const handle = await workspace.openFile(path);
  try {
    const { size } = await handle.stat();
    const start = Buffer.alloc(8192);
    await handle.read(start, 0, start.length, 0);
    if (size <= maximumFileBytes || start.includes(0)) return undefined;
    const { lines, goesOn } = await scanLines(handle, { ...range, maximumLength: maximumLineLength });
    if (lines.length === 0) return failed(`${path.relative} has fewer than ${range.offset} lines.`);
    return toOutcome(path, fitLines(lines), { offset: range.offset, total: goesOn ? undefined : range.offset - 1 + lines.length });
  } finally {
    await handle.close();
  }
}

async function readLines(workspace: Workspace, path: WorkspacePath, range: { offset: number; limit: number }): Promise<ToolOutcome> {
  const { offset, limit } = range;
  const lines = splitLines(await readText(workspace, path));
  if (offset > Math.max(1, lines.length)) {
    return failed(`${path.relative} has ${lines.length} lines; line ${offset} is behind its end.`);
  }
  return toOutcome(path, fitLines(lines.slice(offset - 1, offset - 1 + limit)), { offset, total: lines.length });
}

/** As many as can be shown, with long ones truncated. */
function fitLines(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    const kept = line.length > maximumLineLength ? `${takeStart(line, maximumLineLength)}… (line cut)` : line;
    length += kept.length + 1;
    if (length > maximumLength && shown.length > 0) break;
    shown.push(kept);
  }
  return shown;
}

/** `total` is undefined if it is unknown. */
function toOutcome(path: WorkspacePath, shown: readonly string[], range: { offset: number; total: number | undefined }): ToolOutcome {
  const { offset, total } = range;
  const last = offset + shown.length - 1;
  const numbered = shown.map((line, index) => `${String(offset + index).padStart(6)}\t${line}`);
  if (total === 0) numbered.push("(the file is empty)");
  else if (total === undefined) numbered.push(`(lines ${offset} to ${last}, and there are more; read on with offset ${last + 1})`);
  else if (last < total) numbered.push(`(lines ${offset} to ${last} of ${total}; read on with offset ${last + 1})`);
  return {
    output: numbered.join("\n"),
    state: "completed",
    structured: {
      filePath: path.relative,
      content: shown.join("\n"),
      startLine: offset,
      ...(total === undefined ? {} : { totalLines: total }),
    },
  };
}

async function readText(workspace: Workspace, path: WorkspacePath): Promise<string> {
  const { text } = await readTextFile(workspace, path);
  if (!path.relative.endsWith(".ipynb")) return text;
  const cells = toNotebookText(text);
  if (cells === undefined)
    throw new WorkspaceError(`${path.relative} is not a valid notebook. Use bash to look into it, for example head.`);
  return cells;
}

/** A final line end does not begin another line. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
