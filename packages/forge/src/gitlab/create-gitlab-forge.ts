import type { ForgePullRequest, PullRequestCheck, PullRequestReview } from "@skein/contracts";
import { takeStart } from "@skein/engine";
import type { z } from "zod";
import { assertCommits } from "../assert-commits.ts";
import { createOrUpdate } from "../create-or-update.ts";
import { createDraftTitles } from "../draft-titles.ts";
import type { Forge, ForgeRepository } from "../forge.ts";
import { createForgeClient } from "../http/forge-client.ts";
import { toWebUrl } from "../http/web-url.ts";
import {
  approvalsSchema,
  comparisonSchema,
  listedSchema,
  mergeRequestSchema,
  noteSchema,
  reviewerSchema,
  statusSchema,
} from "./gitlab-answers.ts";

const titles = createDraftTitles({ prefix: "Draft: ", marks: /^(?:\[draft\]|\(draft\)|draft:)\s*/i });
const maxSummary = 2_000;

/** GitLab's REST API v4, on gitlab.com or self-hosted. A draft is a title that begins with “Draft:”. */
export function createGitlabForge({ repository, token }: { repository: ForgeRepository; token: string }): Forge {
  const { host } = repository;
  const client = createForgeClient({ repository, token, accept: "application/json" });
  const root = `/projects/${encodeURIComponent(repository.path)}`;

  const findPullRequest: Forge["findPullRequest"] = async ({ head }) => {
    const query = new URLSearchParams({ source_branch: head, state: "opened", per_page: "1" });
    const [found] = await client.list(`${root}/merge_requests?${query}`, listedSchema);
    return found?.iid;
  };

  const updatePullRequest: Forge["updatePullRequest"] = async ({ number, body, base, ...named }) => {
    const path = `${root}/merge_requests/${number}`;
    const title = await titles.change(named, () => client.get(path, mergeRequestSchema));
    const changes = {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { description: body }),
      ...(base === undefined ? {} : { target_branch: base }),
    };
    if (Object.keys(changes).length > 0) await client.send("PUT", path, changes, listedSchema);
  };

  async function countCommits({ base, head }: { base: string; head: string }): Promise<number> {
    const query = new URLSearchParams({ from: base, to: head });
    return (await client.get(`${root}/repository/compare?${query}`, comparisonSchema)).commits.length;
  }

  async function readReviews(number: number, page: string): Promise<PullRequestReview[]> {
    const path = `${root}/merge_requests/${number}`;
    const [notes, approvals, reviewers] = await Promise.all([
      client.list(`${path}/notes?sort=asc&order_by=created_at&per_page=100`, noteSchema),
      client.get(`${path}/approvals`, approvalsSchema),
      client.list(`${path}/reviewers`, reviewerSchema),
    ]);
    const opinion = { isMember: false, body: "", path: null, line: null, url: toWebUrl(page) };
    const all: PullRequestReview[] = [
      ...notes.filter(({ system }) => !system).map((note) => fromNote(note, page)),
      ...approvals.approved_by.map(({ user, approved_at }) => ({
        ...{ id: `approval:${user.username}`, author: user.username, state: "approved" as const, ...opinion, createdAt: approved_at ?? 0 },
      })),
      ...reviewers
        .filter(({ state }) => state === "requested_changes")
        .map(({ user, created_at }) => ({
          ...{
            id: `request:${user.username}`,
            author: user.username,
            state: "changes-requested" as const,
            ...opinion,
            createdAt: created_at,
          },
        })),
    ];
    return all.sort((a, b) => a.createdAt - b.createdAt);
  }

  return {
    findPullRequest,
    updatePullRequest,

    async createPullRequest(input) {
      const { title, body, head, base, draft } = input;
      await assertCommits({ host, base }, () => countCommits(input));
      const wanted = { source_branch: head, target_branch: base, title: titles.mark(title, draft), description: body };
      const create = async () => (await client.send("POST", `${root}/merge_requests`, wanted, listedSchema)).iid;
      return createOrUpdate(input, { create, findPullRequest, updatePullRequest });
    },

    async readPullRequest({ number }): Promise<ForgePullRequest> {
      const merge = await client.get(`${root}/merge_requests/${number}`, mergeRequestSchema);
      const isOpen = merge.state === "opened";
      const commit = merge.sha ?? "";
      const [checks, reviews] = isOpen
        ? await Promise.all([
            client.list(`${root}/repository/commits/${commit}/statuses?per_page=100`, statusSchema),
            readReviews(number, merge.web_url),
          ])
        : [[], []];
      return {
        ...{ number, url: merge.web_url, title: merge.draft ? titles.strip(merge.title) : merge.title, body: merge.description ?? "" },
        ...{ head: merge.source_branch, headCommit: commit, base: merge.target_branch },
        state: merge.state === "merged" ? "merged" : !isOpen ? "closed" : merge.draft ? "draft" : "open",
        mergeable: toMergeable(merge),
        ...{ checks: checks.map(fromStatus), reviews },
      };
    },

    async readCheckLog({ id }) {
      const [, number = ""] = id.split(":");
      // an external status has no log
      return /^\d+$/.test(number) ? ((await client.tail(`${root}/jobs/${number}/trace`)) ?? "") : "";
    },
  };
}

function toMergeable({ has_conflicts, detailed_merge_status: status }: z.output<typeof mergeRequestSchema>): ForgePullRequest["mergeable"] {
  if (has_conflicts === true) return "conflict";
  if (status === undefined || status === "unchecked" || status === "checking" || status === "preparing") return "unknown";
  return status === "mergeable" ? "yes" : "blocked";
}

const pendingStates = new Set(["created", "waiting_for_resource", "preparing", "pending", "running", "scheduled"]);

function fromStatus({ id, name, status, allow_failure, description, target_url }: z.output<typeof statusSchema>): PullRequestCheck {
  const failed = status === "failed" && allow_failure !== true;
  return {
    ...{ id: `status:${id}`, name, url: toWebUrl(target_url), summary: takeStart(description ?? "", maxSummary) },
    state: failed ? "failure" : status === "success" ? "success" : pendingStates.has(status) ? "pending" : "neutral",
  };
}

/** The API does not report whether an author is a member. */
function fromNote({ id, body, author, created_at, position }: z.output<typeof noteSchema>, page: string): PullRequestReview {
  const path = position?.new_path ?? position?.old_path ?? null;
  const place = { path, line: path === null ? null : (position?.new_line ?? position?.old_line ?? null) };
  return {
    ...{ id: `note:${id}`, author: author.username, isMember: false, state: "commented", body, ...place },
    ...{ url: toWebUrl(`${page}#note_${id}`), createdAt: created_at },
  };
}
