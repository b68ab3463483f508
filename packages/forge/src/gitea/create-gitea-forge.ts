import type { ForgePullRequest, PullRequestCheck, PullRequestReview } from "@skein/contracts";
import { takeStart } from "@skein/engine";
import { z } from "zod";
import { assertCommits } from "../assert-commits.ts";
import { createOrUpdate } from "../create-or-update.ts";
import { createDraftTitles } from "../draft-titles.ts";
import type { Forge, ForgeRepository } from "../forge.ts";
import { createForgeClient } from "../http/forge-client.ts";
import { toWebUrl } from "../http/web-url.ts";
import { commentSchema, comparisonSchema, lineCommentSchema, pullSchema, reviewSchema, statusSchema } from "./gitea-answers.ts";

const titles = createDraftTitles({ prefix: "WIP: ", marks: /^(?:wip:|\[wip\])\s*/i });
const maxSummary = 2_000;
const pageSize = 50;

/** The REST API v1 of Gitea and Forgejo. A draft is a title that begins with “WIP:”. Logs of checks are not in the API. */
export function createGiteaForge({ repository, token }: { repository: ForgeRepository; token: string }): Forge {
  const { host } = repository;
  const client = createForgeClient({ repository, token, accept: "application/json" });
  const root = `/repos/${repository.path.split("/").map(encodeURIComponent).join("/")}`;

  /** The API has no filter for it. */
  const findPullRequest: Forge["findPullRequest"] = async ({ head }) => {
    const open = await client.list(`${root}/pulls?state=open&limit=${pageSize}`, pullSchema);
    return open.find((pull) => pull.head.ref === head && pull.head.repo_id === pull.base.repo_id)?.number;
  };

  const updatePullRequest: Forge["updatePullRequest"] = async ({ number, body, base, ...named }) => {
    const path = `${root}/pulls/${number}`;
    const title = await titles.change(named, () => client.get(path, pullSchema));
    const changes = {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      ...(base === undefined ? {} : { base }),
    };
    if (Object.keys(changes).length > 0) await client.send("PATCH", path, changes, z.unknown());
  };

  async function countCommits({ base, head }: { base: string; head: string }): Promise<number> {
    const range = `${encodeURIComponent(base)}...${encodeURIComponent(head)}`;
    return (await client.get(`${root}/compare/${range}`, comparisonSchema)).total_commits;
  }

  async function readReviews(number: number): Promise<PullRequestReview[]> {
    const [reviews, comments] = await Promise.all([
      client.list(`${root}/pulls/${number}/reviews?limit=${pageSize}`, reviewSchema),
      client.list(`${root}/issues/${number}/comments`, commentSchema),
    ]);
    const submitted = reviews.filter(({ state, dismissed }) => state !== "PENDING" && dismissed !== true);
    const lines = await Promise.all(
      submitted
        .filter(({ comments_count }) => comments_count > 0)
        .map(({ id }) => client.list(`${root}/pulls/${number}/reviews/${id}/comments`, lineCommentSchema)),
    );
    const all = [...submitted.flatMap(fromReview), ...lines.flat().map(fromLineComment), ...comments.map(fromComment)];
    return all.sort((a, b) => a.createdAt - b.createdAt);
  }

  return {
    findPullRequest,
    updatePullRequest,

    async createPullRequest(input) {
      const { title, body, head, base, draft } = input;
      await assertCommits({ host, base }, () => countCommits(input));
      const wanted = { head, base, title: titles.mark(title, draft), body };
      const create = async () => (await client.send("POST", `${root}/pulls`, wanted, pullSchema)).number;
      return createOrUpdate(input, { create, findPullRequest, updatePullRequest });
    },

    async readPullRequest({ number }): Promise<ForgePullRequest> {
      const pull = await client.get(`${root}/pulls/${number}`, pullSchema);
      const isOpen = pull.state === "open";
      const statuses = `${root}/commits/${pull.head.sha}/status?limit=${pageSize}`;
      const [checks, reviews] = isOpen
        ? await Promise.all([client.list(statuses, statusSchema, toStatuses), readReviews(number)])
        : [[], []];
      return {
        ...{ number, url: pull.html_url, title: pull.draft ? titles.strip(pull.title) : pull.title, body: pull.body },
        ...{ head: pull.head.ref, headCommit: pull.head.sha, base: pull.base.ref },
        state: pull.merged ? "merged" : !isOpen ? "closed" : pull.draft ? "draft" : "open",
        mergeable: !isOpen ? "unknown" : pull.mergeable ? "yes" : "conflict",
        ...{ checks: checks.map(fromStatus), reviews },
      };
    },

    readCheckLog: async () => "",
  };
}

/** Null instead of an empty list. */
function toStatuses(page: unknown): unknown {
  return z.object({ statuses: z.array(z.unknown()).nullish() }).safeParse(page).data?.statuses ?? [];
}

function fromStatus({ id, context, status, description, target_url }: z.output<typeof statusSchema>): PullRequestCheck {
  return {
    ...{ id: `status:${id}`, name: context, url: toWebUrl(target_url), summary: takeStart(description ?? "", maxSummary) },
    state:
      status === "success"
        ? "success"
        : status === "pending"
          ? "pending"
          : status === "failure" || status === "error"
            ? "failure"
            : "neutral",
  };
}

const reviewStates: Record<string, PullRequestReview["state"]> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changes-requested",
  COMMENT: "commented",
};

/** Comments on lines are listed on their own: a review with nothing else has no text of its own. */
function fromReview({ id, user, state, body, official, html_url, submitted_at }: z.output<typeof reviewSchema>): PullRequestReview[] {
  const known = Object.hasOwn(reviewStates, state) ? reviewStates[state] : undefined;
  if (known === undefined || (known === "commented" && body === "")) return [];
  const place = { path: null, line: null, url: toWebUrl(html_url), createdAt: submitted_at };
  return [{ id: `review:${id}`, author: user?.login ?? "ghost", isMember: official === true, state: known, body, ...place }];
}

function fromLineComment(comment: z.output<typeof lineCommentSchema>): PullRequestReview {
  const { id, user, body, path, position, original_position, html_url, created_at } = comment;
  const place = { path, line: position || original_position || null, url: toWebUrl(html_url), createdAt: created_at };
  return { id: `line:${id}`, author: user?.login ?? "ghost", isMember: false, state: "commented", body, ...place };
}

function fromComment({ id, user, body, html_url, created_at }: z.output<typeof commentSchema>): PullRequestReview {
  const place = { path: null, line: null, url: toWebUrl(html_url), createdAt: created_at };
  return { id: `comment:${id}`, author: user?.login ?? "ghost", isMember: false, state: "commented", body, ...place };
}
