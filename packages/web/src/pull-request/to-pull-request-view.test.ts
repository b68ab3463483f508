import type { PullRequest } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { chooseBadge } from "./choose-badge.ts";
import { toPullRequestView } from "./to-pull-request-view.ts";

const git = { head: "b".repeat(40), dirty: { files: 0, paths: [] }, obstacles: {} };
const check = (name: string, state: "failure" | "pending" | "success") => ({ id: `run:${name}`, name, state, url: null, summary: "" });

function pullRequest(changes: Partial<PullRequest> = {}): PullRequest {
  return {
    ...{
      forge: "github",
      host: "github.com",
      repository: "acme/app",
      number: 7,
      url: "https://github.com/acme/app/pull/7",
      title: "Greet",
      body: "",
    },
    ...{ state: "open", head: "skein/greet", headCommit: "b".repeat(40), base: "main", mergeable: "yes", checks: [], reviews: [] },
    ...{ unsent: { checks: [], reviews: [] }, automaticRounds: 0, problem: null, checkedAt: 1 },
    ...changes,
  };
}

describe("[G7] the line of a pull request", () => {
  it("counts checks: a failed one counts more than those that still run", () => {
    const checks = [check("a", "success"), check("b", "failure"), check("c", "pending")];
    expect(toPullRequestView(pullRequest({ checks }), git).checks).toEqual({ state: "failure", done: 2, failed: 1, total: 3 });
    expect(toPullRequestView(pullRequest({ checks: checks.slice(2) }), git).checks).toMatchObject({ state: "pending" });
    expect(toPullRequestView(pullRequest(), git).checks).toBeNull();
  });

  it("offers to send what was not sent, and nothing once it is merged or closed", () => {
    const unsent = { checks: ["run:b"], reviews: ["line:1", "line:2"] };
    expect(toPullRequestView(pullRequest({ unsent }), git).unsent).toEqual({ checks: 1, reviews: 2 });
    for (const state of ["merged", "closed"] as const) {
      expect(toPullRequestView(pullRequest({ unsent, state, checks: [check("b", "failure")] }), git)).toMatchObject({
        ...{ unsent: null, checks: null, canPush: false },
      });
    }
  });

  it("offers to push commits that it does not have, when everything is committed", () => {
    const older = pullRequest({ headCommit: "a".repeat(40) });
    expect(toPullRequestView(older, git).canPush).toBe(true);
    expect(toPullRequestView(pullRequest(), git).canPush).toBe(false);
    expect(toPullRequestView(older, { ...git, dirty: { files: 1, paths: ["a"] } }).canPush).toBe(false);
    expect(toPullRequestView(older, { ...git, obstacles: { push: { text: { code: "agent-working" } } } }).canPush).toBe(false);
  });

  it("a card shows that of the active attempt, or the newest", () => {
    const badge = (attemptId: string) => ({ attemptId }) as never;
    expect(chooseBadge({ attemptId: "att_1", pullRequests: [badge("att_1"), badge("att_2")] })).toEqual({ attemptId: "att_1" });
    expect(chooseBadge({ attemptId: "att_3", pullRequests: [badge("att_1"), badge("att_2")] })).toEqual({ attemptId: "att_2" });
    expect(chooseBadge(undefined)).toBeUndefined();
  });
});
