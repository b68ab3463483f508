import { type FoundFiles, readFileLines, readFoundFiles } from "./found-files.ts";
import { stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolObservation, type ToolPresentation, type ToolProcessor } from "./tool-processor.ts";

/** Finds files by a pattern. */
export const globProcessor: ToolProcessor = {
  toolNames: ["glob", "Glob"],
  present(observation) {
    const summary = { action: "find-files", subject: stringField(observation.input, "pattern") ?? readTitle(observation) } as const;
    if (!hasSucceeded(observation)) return { summary };
    const found = readFoundFiles(observation) ?? readPrintedFiles(observation);
    if (found === undefined) return { summary: { ...summary, count: readPrintedCount(observation) } };
    return { summary: { ...summary, count: found.count }, details: { type: "fileList", data: found.files } } satisfies ToolPresentation;
  },
};

/** Over ACP, Gemini CLI sends the pattern as title, in quotes. */
function readTitle({ input }: ToolObservation): string | undefined {
  return stringField(input, "title")?.replace(/^'(.*)'$/s, "$1");
}

/** Older versions of Claude Code print the list and report nothing else. */
function readPrintedFiles({ toolName, output }: ToolObservation): FoundFiles | undefined {
  return toolName === "Glob" ? readFileLines(output) : undefined;
}

/** Gemini CLI reports how many it found, but not which. */
function readPrintedCount({ output }: ToolObservation): number | undefined {
  const [, digits] = /^Found (\d{1,9}) matching file/.exec(output) ?? [];
  if (digits !== undefined) return Number(digits);
  return /^No files found/.test(output) ? 0 : undefined;
}
