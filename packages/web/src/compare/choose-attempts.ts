import type { Attempt, AttemptId } from "@skein/contracts";
import { listRace } from "./to-racer.ts";

/** Those that the address names and that are there; else those of the newest race, else the two newest. */
export function chooseAttempts(attempts: readonly Attempt[], named: string | undefined): Attempt[] {
  const ids = new Set(named?.split(","));
  const chosen = attempts.filter(({ id }) => ids.has(id));
  if (chosen.length > 0) return chosen;
  const race = listRace(attempts);
  return race.length > 0 ? race : attempts.filter(({ archived }) => archived !== true).slice(-2);
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
