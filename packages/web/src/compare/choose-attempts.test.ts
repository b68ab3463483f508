import type { Attempt, AttemptId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { chooseAttempts, toggleAttempt } from "./choose-attempts.ts";

const attempts = ["att_1", "att_2", "att_3"].map((id) => ({ id }) as Attempt);
const ids = (chosen: Attempt[]) => chosen.map(({ id }) => id);

describe("selecting attempts", () => {
  it("takes those of the address, else the two newest", () => {
    expect(ids(chooseAttempts(attempts, "att_3,att_1,gone"))).toEqual(["att_1", "att_3"]);
    expect(ids(chooseAttempts(attempts, undefined))).toEqual(["att_2", "att_3"]);
    expect(ids(chooseAttempts(attempts, "gone"))).toEqual(["att_2", "att_3"]);
  });
  it("adds and removes one, but never the last", () => {
    const two = attempts.slice(1);
    expect(toggleAttempt(two, "att_1" as AttemptId, attempts)).toBe("att_1,att_2,att_3");
    expect(toggleAttempt(two, "att_2" as AttemptId, attempts)).toBe("att_3");
    expect(toggleAttempt(attempts.slice(2), "att_3" as AttemptId, attempts)).toBe("att_3");
  });
});
