import type { Approval, AttemptDiff, EndedExecution, Execution, Usage } from "@skein/contracts";
import { sumSpans } from "../timeline/join-spans.ts";

type ChangedFile = AttemptDiff["files"][number];

/** A file that at least one of the attempts changed; in the order of the attempts, null where one did not. */
export interface ComparedFile {
  path: string;
  files: (ChangedFile | null)[];
  /** Whether every attempt made the same change. */
  isSame: boolean;
}

export function compareFiles(diffs: readonly (AttemptDiff | undefined)[]): ComparedFile[] {
  const paths = new Set(diffs.flatMap((diff) => diff?.files.map(({ filePath }) => filePath) ?? []));
  return [...paths].sort().map((path) => {
    const files = diffs.map((diff) => diff?.files.find(({ filePath }) => filePath === path) ?? null);
    const [first] = files;
    // Two binary files have no lines to compare: they are not known to be the same.
    const isSame = first != null && files.every((file) => file !== null && !file.binary && toKey(file) === toKey(first));
    return { path, files, isSame };
  });
}

function toKey({ change, hunks, additions, deletions }: ChangedFile): string {
  return JSON.stringify([change, hunks, additions, deletions]);
}

export interface ExecutionSums {
  count: number;
  /** Without the time in which an agent waited for an answer. */
  workingMs: number;
  waitingMs: number;
  /** A field that none of them reported is absent. */
  usage: Pick<Usage, "inputTokens" | "outputTokens" | "costUsd" | "isPartial">;
}

/** Of executions that have ended; `approvals` are those of the attempt. */
export function sumExecutions(executions: readonly Execution[], approvals: readonly Approval[]): ExecutionSums {
  const sums: ExecutionSums = { count: executions.length, workingMs: 0, waitingMs: 0, usage: {} };
  for (const execution of executions) {
    if (execution.status === "running") continue;
    const waitingMs = sumWaiting(execution, approvals);
    sums.waitingMs += waitingMs;
    sums.workingMs += execution.durationMs - waitingMs;
    if (execution.usage.isPartial) sums.usage.isPartial = true;
    for (const key of ["inputTokens", "outputTokens", "costUsd"] as const) {
      const value = execution.usage[key];
      if (value !== undefined) sums.usage[key] = (sums.usage[key] ?? 0) + value;
    }
  }
  return sums;
}

/** Two questions at the same time are waited for once. */
function sumWaiting({ id, startedAt, endedAt }: EndedExecution, approvals: readonly Approval[]): number {
  const within = (at: number): number => Math.min(Math.max(at, startedAt), endedAt);
  return sumSpans(
    approvals
      .filter(({ executionId }) => executionId === id)
      .map((approval) => ({
        from: within(approval.requestedAt),
        to: within(approval.status === "pending" ? endedAt : approval.resolvedAt),
      })),
  );
}
