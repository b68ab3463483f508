import type { Attempt, AttemptId } from "@skein/contracts";
import type { SideView, TaskView } from "./task-view.ts";

/** The attempt that the address names, else the active one, else the newest. */
export function findShownAttempt(attempts: readonly Attempt[], named: AttemptId | undefined): Attempt | undefined {
  return attempts.find(({ id }) => id === named) ?? attempts.find(({ active }) => active) ?? attempts.at(-1);
}

/** The part of the address after `?`. The active attempt and the conversation are not named: a link to them follows what is active. */
export function toTaskSearch(
  { attempt, view }: { attempt: AttemptId | undefined; view: TaskView },
  active: AttemptId | undefined,
): { attempt?: AttemptId; view?: SideView } {
  return { ...(attempt && attempt !== active ? { attempt } : {}), ...(view === "conversation" ? {} : { view }) };
}
