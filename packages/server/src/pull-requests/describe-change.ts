import type { AttemptDiff, Task } from "@skein/contracts";
import { takeStart } from "@skein/engine";

const maxFiles = 50;
const maxSummary = 8_000;
const maxDescription = 8_000;

/** The body of a new pull request: what was asked for, what the agent reports, and what has changed. */
export function describeChange({ task, answer, diff }: { task: Task; answer: string; diff: AttemptDiff | undefined }): string {
  const files = diff?.files ?? [];
  const listed = files.slice(0, maxFiles).map(({ filePath, change }) => `- \`${filePath}\`${notes[change ?? "updated"] ?? ""}`);
  const left = files.length - listed.length;
  return [
    ...section(null, takeStart(task.description.trim(), maxDescription)),
    ...section("Summary", takeStart(answer.trim(), maxSummary)),
    ...section("Changes", [...listed, ...(left > 0 ? [`- … and ${left} more files`] : [])].join("\n")),
  ].join("\n\n");
}

const notes: Record<string, string> = { created: " (new)", deleted: " (deleted)", renamed: " (renamed)" };

function section(title: string | null, text: string): string[] {
  if (text === "") return [];
  return title === null ? [text] : [`## ${title}`, text];
}
