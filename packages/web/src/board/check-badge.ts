import type { CheckBadge, CheckState, OpenAttempt } from "@skein/contracts";

/** What a card says about the checks of a task: of its newest race, else of its active attempt. */
export type CardChecks = { kind: "race"; ended: number; passed: number; total: number } | { kind: "check"; state: CheckState };

interface Known {
  attemptId: string | null;
  checks?: readonly CheckBadge[] | undefined;
  open?: readonly OpenAttempt[] | undefined;
}

export function toCardChecks({ attemptId, checks = [], open = [] }: Known): CardChecks | undefined {
  const raceId = checks.reduce<string | undefined>(
    (newest, one) => (one.raceId && one.raceId > (newest ?? "") ? one.raceId : newest),
    undefined,
  );
  const race = raceId === undefined ? [] : checks.filter((one) => one.raceId === raceId);
  if (race.length > 1) {
    const works = (id: string) => open.some((one) => one.attemptId === id && one.executionId !== null);
    const isGoing = ({ attemptId: id, state }: CheckBadge) => state === "waiting" || state === "running" || works(id);
    return {
      kind: "race",
      ended: race.filter((one) => !isGoing(one)).length,
      passed: race.filter(({ state }) => state === "passed").length,
      total: race.length,
    };
  }
  const state = checks.find((one) => one.attemptId === attemptId)?.state;
  return state === undefined || state === null ? undefined : { kind: "check", state };
}
