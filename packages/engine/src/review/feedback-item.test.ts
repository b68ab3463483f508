import type { PullRequest, PullRequestReview, StoredPullRequest } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { listFeedbackForUser, toFeedbackItem } from "./feedback-item.ts";

const review = (id: string, author: string, state: PullRequestReview["state"], isMember = true) =>
  ({ id, author, state, isMember, body: "Please." }) as PullRequestReview;
const failed = { id: "run:1", name: "test", state: "failure" };
const build = (changes: Partial<PullRequest> = {}) =>
  ({
    ...{ number: 7, url: "https://example.com/7", state: "open", checks: [failed], reviews: [], automaticRounds: 0 },
    ...{ unsent: { checks: ["run:1"], reviews: [] }, ...changes },
  }) as unknown as PullRequest;
const list = (changes: Partial<PullRequest>, maxRounds = 0) => listFeedbackForUser(build(changes), { maxRounds });

describe("[E12, G7] the feedback of a pull request that needs the user", () => {
  const comments = { unsent: { checks: [], reviews: ["a", "b"] } };

  it("failed checks, and comments while changes are requested", () => {
    expect(list({})).toEqual({ checks: ["run:1"], reviews: [] });
    const [mentioned, requested] = [review("a", "ada", "commented"), review("b", "grace", "changes-requested")];
    expect(list({ ...comments, reviews: [mentioned] })).toEqual({ checks: [], reviews: [] });
    expect(list({ ...comments, reviews: [mentioned, requested] })).toEqual({ checks: [], reviews: ["a", "b"] });
    expect(list({ ...comments, reviews: [mentioned, requested, review("c", "grace", "approved")] })).toEqual({ checks: [], reviews: [] });
  });

  it("nothing of one that was merged or closed", () => {
    expect([list({ state: "merged" }), list({ state: "closed" })]).toEqual(Array(2).fill({ checks: [], reviews: [] }));
  });

  it("while automatic rounds are left, only what is not sent automatically", () => {
    expect(list({ automaticRounds: 1 }, 2)).toEqual({ checks: [], reviews: [] });
    expect(list({ automaticRounds: 2 }, 2)).toEqual({ checks: ["run:1"], reviews: [] });
    const reviews = [review("a", "ada", "changes-requested"), review("b", "mallory", "commented", false)];
    expect(list({ ...comments, reviews }, 2)).toEqual({ checks: [], reviews: ["b"] });
  });

  it("is an item that names the checks and the reviewers", () => {
    const pullRequest = build({
      unsent: { checks: ["run:1"], reviews: ["a"] },
      reviews: [review("a", "ada", "changes-requested"), review("b", "bob", "approved")],
    });
    const stored = { attemptId: "att_1", taskId: "tsk_1", pullRequest, inbox: { addedAt: 5, clearedAt: null } } as StoredPullRequest;
    expect(toFeedbackItem(stored)).toEqual({
      ...{ kind: "feedback", id: "att_1", taskId: "tsk_1", attemptId: "att_1", number: 7, url: "https://example.com/7" },
      ...{ failedChecks: ["test"], changesRequestedBy: ["ada"], addedAt: 5, clearedAt: null },
    });
    expect(toFeedbackItem({ ...stored, inbox: null })).toBeUndefined();
  });
});
