import type { AttemptDiff, DiffHunk } from "@skein/contracts";

type FileEntry = AttemptDiff["files"][number];
type FileStat = Pick<FileEntry, "filePath" | "change" | "additions" | "deletions" | "binary">;

/** Reads `git diff --numstat -z`: `added TAB deleted TAB path NUL`, or for a rename `… TAB NUL old NUL new NUL`. */
export function parseNumstat(output: string): FileStat[] {
  const fields = output.split("\0");
  const files: FileStat[] = [];
  for (let i = 0; i < fields.length - 1; i++) {
    const [added = "", deleted = "", path = ""] = splitTabs(fields[i] ?? "");
    const renamed = path === "";
    const filePath = renamed ? (fields[i + 2] ?? "") : path;
    if (renamed) i += 2;
    files.push({
      filePath,
      change: renamed ? "renamed" : "updated",
      additions: added === "-" ? 0 : Number(added),
      deletions: deleted === "-" ? 0 : Number(deleted),
      binary: added === "-",
    });
  }
  return files;
}

/** Hunks and kind of change of each file of a patch, in order. */
export function parsePatches(patch: string): { change: NonNullable<FileEntry["change"]>; hunks: DiffHunk[] }[] {
  return patch.split(/^(?=diff --git )/m).flatMap((section) => (section.startsWith("diff --git ") ? [parseSection(section)] : []));
}

function parseSection(section: string): { change: NonNullable<FileEntry["change"]>; hunks: DiffHunk[] } {
  const lines = section.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const firstHunk = lines.findIndex((line) => line.startsWith("@@ "));
  const header = firstHunk === -1 ? lines : lines.slice(0, firstHunk);
  const hunks: DiffHunk[] = [];
  for (const line of firstHunk === -1 ? [] : lines.slice(firstHunk)) {
    const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (range) {
      hunks.push({
        oldStart: Number(range[1]),
        oldLines: Number(range[2] ?? 1),
        newStart: Number(range[3]),
        newLines: Number(range[4] ?? 1),
        lines: [],
      });
    } else hunks.at(-1)?.lines.push(line);
  }
  return { change: changeOf(header), hunks };
}

function changeOf(header: readonly string[]): NonNullable<FileEntry["change"]> {
  if (header.some((line) => line.startsWith("new file mode"))) return "created";
  if (header.some((line) => line.startsWith("deleted file mode"))) return "deleted";
  if (header.some((line) => line.startsWith("rename from"))) return "renamed";
  return "updated";
}

/** A path may hold tabs itself; only the first two separate. */
function splitTabs(field: string): [string, string, string] {
  const first = field.indexOf("\t");
  const second = field.indexOf("\t", first + 1);
  return [field.slice(0, first), field.slice(first + 1, second), field.slice(second + 1)];
}
