import type { CheckBadge, OpenAttempt } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toCardChecks } from "./check-badge.ts";

const badge = (attemptId: string, state: CheckBadge["state"], raceId?: string) =>
  ({ attemptId, state, ...(raceId ? { raceId } : {}) }) as CheckBadge;
const working = (attemptId: string) => ({ attemptId, executionId: "exe_1" }) as OpenAttempt;

describe("[L4] checks on a card", () => {
  it("counts the newest race: what has ended, and what passed", () => {
    const checks = [
      badge("att_1", "passed", "rac_1"),
      badge("att_2", "passed", "rac_2"),
      badge("att_3", "running", "rac_2"),
      badge("att_4", null, "rac_2"),
    ];
    expect(toCardChecks({ attemptId: "att_1", checks, open: [working("att_4")] })).toEqual({ kind: "race", ended: 1, passed: 1, total: 3 });
  });
  it("without a race it is the check of the active attempt, if there is one", () => {
    const checks = [badge("att_1", "failed"), badge("att_2", "passed")];
    expect(toCardChecks({ attemptId: "att_1", checks })).toEqual({ kind: "check", state: "failed" });
    expect(toCardChecks({ attemptId: "att_3", checks })).toBeUndefined();
    expect(toCardChecks({ attemptId: null })).toBeUndefined();
  });
  it("what is left of a race whose others are archived is no race any more", () => {
    expect(toCardChecks({ attemptId: "att_1", checks: [badge("att_1", "passed", "rac_1")] })).toEqual({ kind: "check", state: "passed" });
  });
});
