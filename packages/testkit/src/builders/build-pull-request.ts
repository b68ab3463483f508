import type { StoredPullRequest } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

/** Open, with one failed check, which was sent. */
export function buildPullRequest(overrides: Partial<StoredPullRequest> = {}): StoredPullRequest {
  return {
    ...{ attemptId: testId("att"), taskId: testId("tsk"), sent: ["run:1"], publishAfter: null },
    ...{ nextCheckAt: testTime, seenAt: testTime, failures: 0, inbox: null },
    pullRequest: {
      ...{ forge: "github", host: "github.com", repository: "acme/app", number: 7, url: "https://github.com/acme/app/pull/7" },
      ...{ title: "Greet", body: "", state: "open", head: "skein/greet", headCommit: "a".repeat(40), base: "main", mergeable: "yes" },
      checks: [{ id: "run:1", name: "test", state: "failure", url: null, summary: "1 failed" }],
      ...{ reviews: [], unsent: { checks: [], reviews: [] }, automaticRounds: 0, problem: null, checkedAt: testTime },
    },
    ...overrides,
  };
}
