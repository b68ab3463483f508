import type { PullRequest } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { pullRequest as sample } from "../http/testing/samples.ts";
import { toNextCheck } from "./next-check.ts";

const minute = 60_000;
const now = 1_000_000_000;
const pending = { id: "run:1", name: "test", state: "pending", url: null, summary: "" } as const;

const next = (changes: Partial<PullRequest>, { seenAt = now, failures = 0 } = {}) => {
  const at = toNextCheck({ pullRequest: { ...sample, ...changes }, seenAt, failures }, { now });
  return at === null ? null : (at - now) / 1000;
};

describe("[G7] when a forge is polled next", () => {
  it("often while somebody looks and checks run, rarely later, and not at all after a day", () => {
    expect(next({ checks: [pending] })).toBe(30);
    expect(next({})).toBe(60);
    expect(next({ checks: [pending] }, { seenAt: now - 11 * minute })).toBe(300);
    expect(next({}, { seenAt: now - 25 * 60 * minute })).toBeNull();
  });

  it("never again once it is merged or closed", () => {
    expect(next({ state: "merged" })).toBeNull();
    expect(next({ state: "closed" })).toBeNull();
  });

  it("ever more rarely while requests fail, and not before the forge accepts requests again", () => {
    expect([1, 2, 3, 20].map((failures) => next({}, { failures }))).toEqual([60, 120, 240, 1800]);
    const problem = { code: "forge-rate-limited", host: "github.com", until: now + 20 * minute } as const;
    expect(next({ problem }, { failures: 1 })).toBe(1200);
  });
});
