import { type ForgePullRequest, forgePullRequestSchema } from "@skein/contracts";
import { takeStart } from "@skein/engine";
import type { Forge, ForgeRepository } from "./forge.ts";
import { ForgeError } from "./forge-error.ts";

const maxTitle = 1_000;
const maxBody = 70_000;
const maxComment = 10_000;
const maxComments = 300;
const maxChecks = 500;

/** Checks and truncates what a forge returns: it is stored, and a row that cannot be parsed would make lists unreadable. */
export function boundAnswers(forge: Forge, { host }: ForgeRepository): Forge {
  return {
    ...forge,
    async readPullRequest(query) {
      const parsed = forgePullRequestSchema.safeParse(await forge.readPullRequest(query));
      if (parsed.success) return cut(parsed.data);
      const [issue] = parsed.error.issues;
      throw new ForgeError({ code: "forge-error", host, reason: `unexpected answer: ${issue?.path.join(".")} ${issue?.message}` });
    },
  };
}

/** The newest comments are kept. */
function cut(pullRequest: ForgePullRequest): ForgePullRequest {
  const { title, body, checks, reviews } = pullRequest;
  return {
    ...pullRequest,
    ...{ title: takeStart(title, maxTitle), body: takeStart(body, maxBody) },
    checks: checks.slice(0, maxChecks).map((check) => ({ ...check, name: takeStart(check.name, maxTitle) })),
    reviews: reviews.slice(-maxComments).map((review) => ({ ...review, body: takeStart(review.body, maxComment) })),
  };
}
