import type { Attempt, AttemptCheck } from "@skein/contracts";
import type { Racer } from "@skein/engine";
import type { AttemptRecord } from "./use-attempt-record.ts";

/** What the ranking needs of an attempt; undefined until that is loaded. Without an execution that has ended, its figures are not known. */
export function toRacer({ attempt, executions, sums, diff, error }: AttemptRecord, check: AttemptCheck | undefined): Racer | undefined {
  if (executions === undefined || sums === undefined || (diff === undefined && error === null)) return undefined;
  if (attempt.check !== undefined && check === undefined) return undefined;
  const isRunning = executions.some(({ status }) => status === "running");
  const hasEnded = executions.some(({ status }) => status !== "running");
  return {
    id: attempt.id,
    isRunning: isRunning || executions.length === 0,
    check: attempt.check?.state ?? null,
    isOutdated: check?.check?.id === attempt.check?.id && check?.isOutdated === true,
    lines: diff === undefined ? null : diff.files.reduce((total, file) => total + file.additions + file.deletions, 0),
    workingMs: hasEnded ? sums.workingMs : null,
    costUsd: sums.usage.costUsd ?? null,
  };
}

/** The attempts of the newest race, if there is one. */
export function listRace(attempts: readonly Attempt[]): Attempt[] {
  const raceId = attempts.findLast((one) => one.raceId !== undefined)?.raceId;
  return raceId === undefined ? [] : attempts.filter((one) => one.raceId === raceId && one.archived !== true);
}
