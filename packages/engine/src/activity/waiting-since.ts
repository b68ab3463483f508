import type { TaskActivity } from "@skein/contracts";

/** Since when a task waits to be started: everything that it runs waits for a slot. Undefined if something works, or nothing was sent. */
export function waitingSince({ open }: Pick<TaskActivity, "open">): number | undefined {
  const started = open.filter(({ executionId }) => executionId !== null);
  const waits = started.flatMap(({ wait }) => wait?.since ?? []);
  return waits.length > 0 && waits.length === started.length ? Math.min(...waits) : undefined;
}
