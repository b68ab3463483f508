import type { Attempt } from "@skein/contracts";

/** The answer and its event come in either order. */
export function addAttempt(known: Attempt[] | undefined, attempt: Attempt): Attempt[] {
  const others = (known ?? []).filter(({ id }) => id !== attempt.id).map((other) => (attempt.active ? { ...other, active: false } : other));
  // Keeps what only the list contains: totals and the last end.
  const before = known?.find(({ id }) => id === attempt.id);
  return [...others, { ...before, ...attempt }].sort((a, b) => a.number - b.number);
}
