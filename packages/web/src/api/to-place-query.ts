import type { AttemptId } from "@skein/contracts";

/** Selects an attempt's folder instead of the project's own. */
export function toPlaceQuery(attemptId: AttemptId | undefined): string {
  return attemptId === undefined ? "" : `?attemptId=${attemptId}`;
}
