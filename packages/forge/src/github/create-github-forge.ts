import type { ForgePullRequest, PullRequestCheck, PullRequestReview } from "@skein/contracts";
import { takeStart } from "@skein/engine";
import { z } from "zod";
import { createOrUpdate } from "../create-or-update.ts";
import type { Forge, ForgeRepository, PullRequestChanges } from "../forge.ts";
import { ForgeError } from "../forge-error.ts";
import { createForgeClient } from "../http/forge-client.ts";
import { toWebUrl } from "../http/web-url.ts";
import {
  annotationSchema,
  checkRunSchema,
  commentSchema,
  graphQlSchema,
  lineCommentSchema,
  listedPullSchema,
  pullSchema,
  reviewSchema,
  statusSchema,
} from "./github-answers.ts";

const maxSummary = 2_000;

/** GitHub's REST API (2022-11-28), on github.com or an Enterprise server. */
export function createGithubForge({ repository, token }: { repository: ForgeRepository; token: string }): Forge {
  const client = createForgeClient({
    ...{ repository, token, accept: "application/vnd.github+json" },
    headers: { "x-github-api-version": "2022-11-28" },
  });
  const [owner = "", name = ""] = repository.path.split("/");
  const root = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;

  const findPullRequest: Forge["findPullRequest"] = async ({ head }) => {
    const query = new URLSearchParams({ head: `${owner}:${head}`, state: "open", per_page: "1" });
    const [found] = await client.list(`${root}/pulls?${query}`, listedPullSchema);
    return found?.number;
  };

  async function update({ number, title, body, base, draft }: { number: number } & PullRequestChanges): Promise<void> {
    const changes = {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      ...(base === undefined ? {} : { base }),
    };
    if (Object.keys(changes).length > 0) await client.send("PATCH", `${root}/pulls/${number}`, changes, listedPullSchema);
    if (draft !== undefined) await setDraft(number, draft);
  }

  /** REST cannot do it. */
  async function setDraft(number: number, draft: boolean): Promise<void> {
    const pull = await client.get(`${root}/pulls/${number}`, pullSchema);
    if ((pull.draft ?? false) === draft) return;
    const mutation = draft ? "convertPullRequestToDraft" : "markPullRequestReadyForReview";
    const query = `mutation($id: ID!) { ${mutation}(input: { pullRequestId: $id }) { clientMutationId } }`;
    // an Enterprise server has it next to /api/v3
    const path = repository.apiUrl.endsWith("/v3") ? "/../graphql" : "/graphql";
    const { errors } = await client.send("POST", path, { query, variables: { id: pull.node_id } }, graphQlSchema);
    const [error] = errors ?? [];
    if (error !== undefined) throw new ForgeError({ code: "forge-rejected", host: repository.host, said: error.message });
  }

  async function readChecks(commit: string): Promise<PullRequestCheck[]> {
    const [runs, statuses] = await Promise.all([
      client.list(`${root}/commits/${commit}/check-runs?per_page=100`, checkRunSchema, (page) => pick(page, "check_runs")),
      client.list(`${root}/commits/${commit}/status?per_page=100`, statusSchema, (page) => pick(page, "statuses")),
    ]);
    return [...runs.map(fromCheckRun), ...statuses.map(fromStatus)];
  }

  async function readReviews(number: number): Promise<PullRequestReview[]> {
    const [reviews, lines, comments] = await Promise.all([
      client.list(`${root}/pulls/${number}/reviews?per_page=100`, reviewSchema),
      client.list(`${root}/pulls/${number}/comments?per_page=100`, lineCommentSchema),
      client.list(`${root}/issues/${number}/comments?per_page=100`, commentSchema),
    ]);
    const all = [
      ...reviews.flatMap(fromReview),
      ...lines.map(fromLineComment),
      // bots report there what checks report, too
      ...comments.filter(({ user }) => user?.type !== "Bot").map(fromComment),
    ];
    return all.sort((a, b) => a.createdAt - b.createdAt);
  }

  return {
    findPullRequest,
    updatePullRequest: update,

    async createPullRequest(input) {
      const { title, body, head, base, draft } = input;
      const create = async () => (await client.send("POST", `${root}/pulls`, { title, body, head, base, draft }, listedPullSchema)).number;
      const explain = (cause: ForgeError, reason: string) => {
        if (/no commits between/i.test(reason)) return new ForgeError({ code: "forge-no-commits", base }, { cause });
        if (/^base invalid$/.test(reason)) return new ForgeError({ code: "forge-no-base", host: repository.host, base }, { cause });
        return undefined;
      };
      return createOrUpdate(input, { create, explain, findPullRequest, updatePullRequest: update });
    },

    async readPullRequest({ number }): Promise<ForgePullRequest> {
      const pull = await client.get(`${root}/pulls/${number}`, pullSchema);
      const isOpen = pull.state === "open";
      const [checks, reviews] = isOpen ? await Promise.all([readChecks(pull.head.sha), readReviews(number)]) : [[], []];
      return {
        ...{
          number,
          url: pull.html_url,
          title: pull.title,
          body: pull.body ?? "",
          head: pull.head.ref,
          headCommit: pull.head.sha,
          base: pull.base.ref,
        },
        state: pull.merged ? "merged" : !isOpen ? "closed" : pull.draft ? "draft" : "open",
        mergeable: toMergeable(pull),
        ...{ checks, reviews },
      };
    },

    async readCheckLog({ id, url }) {
      const [kind, number = ""] = id.split(":");
      if (kind !== "run" || !/^\d+$/.test(number)) return "";
      const annotations = await client.list(`${root}/check-runs/${number}/annotations?per_page=50`, annotationSchema);
      const lines = annotations
        .filter(({ annotation_level }) => annotation_level !== "notice")
        .map(({ path, start_line, message }) => `${path}:${start_line ?? "?"}: ${message ?? ""}`);
      // the job of GitHub Actions has the id of its check run
      const log = /\/actions\/runs\/\d+/.test(url ?? "") ? await client.tail(`${root}/actions/jobs/${number}/logs`) : undefined;
      return [...lines, ...(log === undefined ? [] : [log])].join("\n");
    },
  };
}

function toMergeable({ mergeable, mergeable_state }: z.output<typeof pullSchema>): ForgePullRequest["mergeable"] {
  if (mergeable === null) return "unknown";
  if (!mergeable) return "conflict";
  return mergeable_state === "blocked" ? "blocked" : "yes";
}

const failedConclusions = new Set(["failure", "timed_out", "action_required", "startup_failure"]);

function fromCheckRun({ id, name, status, conclusion, details_url, html_url, output }: z.output<typeof checkRunSchema>): PullRequestCheck {
  const state =
    status !== "completed"
      ? "pending"
      : conclusion === "success"
        ? "success"
        : failedConclusions.has(conclusion ?? "")
          ? "failure"
          : "neutral";
  const summary = [output.title, output.summary].filter(Boolean).join("\n");
  return { id: `run:${id}`, name, state, url: toWebUrl(html_url ?? details_url), summary: takeStart(summary, maxSummary) };
}

function fromStatus({ id, context, state, description, target_url }: z.output<typeof statusSchema>): PullRequestCheck {
  return {
    ...{ id: `status:${id}`, name: context, url: toWebUrl(target_url), summary: takeStart(description ?? "", maxSummary) },
    state: state === "success" ? "success" : state === "pending" ? "pending" : "failure",
  };
}

const reviewStates: Record<string, PullRequestReview["state"]> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  COMMENTED: "commented",
};

const memberAssociations = new Set(["OWNER", "MEMBER", "COLLABORATOR"]);

function toAuthor({ user, author_association }: Pick<z.output<typeof commentSchema>, "user" | "author_association">) {
  return { author: user?.login ?? "ghost", isMember: memberAssociations.has(author_association ?? "") };
}

/** Comments on lines are listed on their own: a review with nothing else has no text of its own. */
function fromReview(review: z.output<typeof reviewSchema>): PullRequestReview[] {
  const { id, body, html_url, submitted_at } = review;
  const state = Object.hasOwn(reviewStates, review.state) ? reviewStates[review.state] : undefined;
  if (state === undefined || (state === "commented" && !body)) return [];
  const place = { path: null, line: null, url: toWebUrl(html_url), createdAt: submitted_at ?? 0 };
  return [{ id: `review:${id}`, ...toAuthor(review), state, body: body ?? "", ...place }];
}

function fromLineComment(comment: z.output<typeof lineCommentSchema>): PullRequestReview {
  const { id, body, path, line, original_line, html_url, created_at } = comment;
  const place = { path, line: line ?? original_line ?? null, url: toWebUrl(html_url), createdAt: created_at };
  return { id: `line:${id}`, ...toAuthor(comment), state: "commented", body, ...place };
}

function fromComment(comment: z.output<typeof commentSchema>): PullRequestReview {
  const { id, body, html_url, created_at } = comment;
  const place = { path: null, line: null, url: toWebUrl(html_url), createdAt: created_at };
  return { id: `comment:${id}`, ...toAuthor(comment), state: "commented", body: body ?? "", ...place };
}

function pick(page: unknown, field: string): unknown {
  return z.record(z.string(), z.unknown()).safeParse(page).data?.[field];
}
