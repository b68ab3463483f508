import { type Attempt, type AttemptId, type CheckRun, createId, type EndedExecution } from "@skein/contracts";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { addToInbox } from "./inbox-items.ts";
import { findProjectOf } from "./project-of.ts";

/** Saves a state of an attempt's check. Returns the attempt with it. */
export async function saveCheck(tx: StorageTransaction, attempt: Attempt, check: CheckRun, at: number): Promise<Attempt> {
  const updates = { check, updatedAt: at };
  const changed = { ...attempt, ...updates };
  await tx.updateAttempt(changed);
  await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: attempt.id, updates }, at);
  return changed;
}

/** A check that waits to be run. */
export async function requestCheck(tx: StorageTransaction, attempt: Attempt, at: number): Promise<Attempt> {
  const executionId = (await tx.listExecutionIds({ attemptId: attempt.id })).at(-1) ?? null;
  return saveCheck(tx, attempt, { id: createId("chk", at), executionId, requestedAt: at, state: "waiting" }, at);
}

/**
 * Part of the transaction that ends an execution after which nothing starts: requests the check, in a race always, otherwise if the project
 * wants that. Returns whether the inbox item of the execution waits for the end of a race.
 */
export async function checkAfterExecution(tx: StorageTransaction, ended: EndedExecution, at: number): Promise<boolean> {
  const attempt = await tx.findAttempt({ id: ended.attemptId });
  if (attempt === undefined || attempt.archived === true) return false;
  const endedByItself = ended.status === "success" || ended.status === "failed";
  const isWanted = attempt.raceId !== undefined || (await findProjectOf(tx, attempt))?.runChecks === true;
  if (endedByItself && isWanted && !isOpen(attempt)) await requestCheck(tx, attempt, at);
  if (attempt.raceId === undefined) return false;
  await reportRace(tx, attempt.id, at);
  return true;
}

/** Adds a race to the inbox once nothing of it runs any more; by the execution that ended last. Call it after each end of an attempt in a race. */
export async function reportRace(tx: StorageTransaction, attemptId: AttemptId, at: number): Promise<void> {
  const attempt = await tx.findAttempt({ id: attemptId });
  const task = attempt && (await tx.findTask({ id: attempt.taskId }));
  if (attempt?.raceId === undefined || task === undefined || !(await isRaceOver(tx, attempt))) return;
  const id = (await tx.listExecutionIds({ attemptId })).at(-1);
  const last = id && (await tx.findExecution({ id }));
  if (!last || last.status === "running") return;
  // an item that the user has cleared is not new again
  if ((await tx.findInboxItem({ id: last.id })) === undefined) await addToInbox(tx, last, task, at);
}

async function isRaceOver(reader: StorageReader, { taskId, raceId }: Attempt): Promise<boolean> {
  const running = await reader.listRunningExecutions({ taskId });
  const racing = (await reader.listAttempts({ taskId })).filter((one) => one.raceId === raceId && one.archived !== true);
  return racing.every((one) => !isOpen(one) && running.every(({ attemptId }) => attemptId !== one.id));
}

/** Whether the attempt's check waits or runs. */
export const isOpen = ({ check }: Attempt): boolean => check?.state === "waiting" || check?.state === "running";
