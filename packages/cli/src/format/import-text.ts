import type { ImportProblem, ImportProblemCode, ImportRun, ImportState } from "@skein/contracts";

export const stateTexts: Readonly<Record<ImportState, string>> = {
  new: "new",
  changed: "has grown",
  imported: "imported",
  continued: "continued in Skein",
  "in-skein": "started by Skein",
  deleted: "deleted in Skein",
};

const problemTexts: Readonly<Record<ImportProblemCode, string>> = {
  "unreadable-file": "cannot be read",
  "unreadable-line": "is not JSON; left out",
  "long-line": "has a line that is too long; left out",
  "large-file": "is too large; left out",
  "unknown-format": "is not a session of a known format; left out",
  "busy-database": "changed while it was copied. Close the program that uses it, then try again",
  "unreadable-database": "is not a database of a known version; left out",
  "not-saved": "could not be saved",
};

/** One line about a part that was left out. */
export function formatProblem({ code, file, line, count, detail }: ImportProblem): string {
  const place = line === undefined ? file : `${file}, line ${line}${count !== undefined && count > 1 ? ` and ${count - 1} more` : ""}`;
  return `${place}: ${problemTexts[code]}${detail === undefined ? "" : ` (${detail})`}`;
}

/** What an import did, in one line. */
export function formatRun(run: ImportRun): string {
  const parts = [`${run.added} imported`, `${run.updated} updated`, `${run.unchanged} unchanged`];
  const left = run.problems.length + run.furtherProblems;
  if (left > 0) parts.push(`${left} ${left === 1 ? "problem" : "problems"}`);
  const ending = run.state === "stopped" ? " Stopped." : run.state === "failed" ? " Failed." : "";
  return `${parts.join(", ")}; ${run.messages} messages from ${run.lines} lines.${ending}`;
}
