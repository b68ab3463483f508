import type { Attempt, AttemptId } from "@skein/contracts";

/** Those that the address names and that are there; else the two newest. */
export function chooseAttempts(attempts: readonly Attempt[], named: string | undefined): Attempt[] {
  const ids = new Set(named?.split(","));
  const chosen = attempts.filter(({ id }) => ids.has(id));
  return chosen.length > 0 ? chosen : attempts.slice(-2);
}

/** With one more or one less; the last one stays. */
export function toggleAttempt(chosen: readonly Attempt[], id: AttemptId, attempts: readonly Attempt[]): string {
  const ids = new Set(chosen.map((attempt) => attempt.id));
  if (ids.has(id) && ids.size > 1) ids.delete(id);
  else ids.add(id);
  return attempts
    .filter((attempt) => ids.has(attempt.id))
    .map((attempt) => attempt.id)
    .join(",");
}
