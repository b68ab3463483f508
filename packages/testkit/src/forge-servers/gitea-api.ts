import { type DescribedCall, matchOperation } from "./described-operations.ts";
import { type ForgeAnswer, type ForgeApi, type ForgeApiContext, paginate } from "./forge-api.ts";
import type { ScriptedPull } from "./forge-world.ts";

const base = "/api/v1";
const repository = "/repos/:owner/:repo";
const pullPath = `${repository}/pulls/:index`;
const page = ["page", "limit"];

/** From the Swagger description that Gitea and Forgejo serve at /swagger.v1.json. */
const operations: Record<string, DescribedCall> = {
  [`GET ${repository}/pulls`]: { query: [...page, "state", "sort", "milestone", "labels", "poster", "base_branch"] },
  [`POST ${repository}/pulls`]: { body: ["head", "base", "title", "body", "assignees", "labels", "reviewers"] },
  [`GET ${pullPath}`]: {},
  [`PATCH ${pullPath}`]: { body: ["title", "body", "base", "state", "assignees", "labels"] },
  [`GET ${pullPath}/reviews`]: { query: page },
  [`GET ${pullPath}/reviews/:review/comments`]: {},
  [`GET ${repository}/issues/:index/comments`]: { query: ["since", "before"] },
  [`GET ${repository}/commits/:ref/status`]: { query: page },
  [`GET ${repository}/compare/:basehead`]: {},
};

const notFound: ForgeAnswer = { status: 404, body: { message: "The target couldn't be found.", url: "/api/swagger", errors: [] } };
const reviewStates = { approved: "APPROVED", "changes-requested": "REQUEST_CHANGES", commented: "COMMENT" } as const;

/** The REST API v1 of Gitea and Forgejo. */
export function createGiteaApi({ world, url, report }: ForgeApiContext): ForgeApi {
  const toUser = (login: string) => ({ id: 1, login, full_name: "", email: `${login}@example.invalid` });
  const pageOf = (pull: ScriptedPull) => `${url}/${world.path}/pulls/${pull.number}`;
  const toPull = (pull: ScriptedPull) => ({
    ...{ id: 1000 + pull.number, number: pull.number, url: pageOf(pull), html_url: pageOf(pull), user: toUser("ada") },
    ...{ title: pull.draft ? `WIP: ${pull.title}` : pull.title, body: pull.body, draft: pull.draft },
    ...{ state: pull.state === "open" ? "open" : "closed", merged: pull.state === "merged", mergeable: pull.state === "open" },
    head: { label: pull.head, ref: pull.head, sha: world.headCommit(pull), repo_id: 1 },
    base: { label: pull.base, ref: pull.base, sha: world.findCommit(pull.base) ?? "", repo_id: 1 },
    ...{ created_at: pull.createdAt, updated_at: pull.createdAt },
  });

  function setTitle(pull: ScriptedPull, title: string): void {
    pull.draft = /^wip:/i.test(title);
    pull.title = title.replace(/^wip:\s*/i, "");
  }

  function create({ head = "", base: onto = "", title = "", body = "" }: Record<string, string>): ForgeAnswer {
    if (world.findCommit(head) === undefined || world.findCommit(onto) === undefined) return notFound;
    const open = world.pulls.find((pull) => pull.state === "open" && pull.head === head && pull.base === onto);
    if (open !== undefined) {
      const message = `pull request already exists for these targets [id: ${open.number}, issue_id: 1, head_branch: ${head}, base_branch: ${onto}]`;
      return { status: 409, body: { message, url: "/api/swagger" } };
    }
    const pull = world.openPull({ title: "", body, head, base: onto, draft: false });
    setTitle(pull, title);
    return { status: 201, body: toPull(pull) };
  }

  return {
    unauthorized: () => ({ status: 401, body: { message: "invalid username, password or token", url: "/api/swagger" } }),
    handle(call) {
      const { pathname, searchParams: query } = call.url;
      const operation = matchOperation(operations, { ...call, path: pathname.slice(base.length), query }, report);
      const { owner, repo, index, review: reviewId, ref, basehead = "" } = operation?.parameters ?? {};
      if (operation === undefined || `${owner}/${repo}` !== world.path) return notFound;
      const pull = world.pulls.find(({ number }) => number === Number(index));
      const body = (call.body ?? {}) as Record<string, string>;
      const list = (items: readonly unknown[]): ForgeAnswer => {
        const { page: shown, headers } = paginate(items, call.url, "limit");
        return { status: 200, body: shown, headers };
      };
      switch (operation.name) {
        case `GET ${repository}/pulls`:
          return list(world.pulls.filter(({ state }) => (query.get("state") === "open") === (state === "open")).map(toPull));
        case `POST ${repository}/pulls`:
          return create(body);
        case `GET ${repository}/compare/:basehead`: {
          const [from = "", to = ""] = basehead.split("...");
          if (world.findCommit(from) === undefined || world.findCommit(to) === undefined) return notFound;
          return { status: 200, body: { total_commits: world.countAhead(from, to), commits: [] } };
        }
        case `GET ${repository}/commits/:ref/status`: {
          const checks = world.checksOf(ref ?? "");
          const statuses = checks.map(({ id, name, state, summary }) => ({
            ...{ id, context: name, status: state, description: summary, target_url: `${url}/${world.path}/actions/runs/${id}` },
          }));
          // as Gitea does for an empty list
          return {
            status: 200,
            body: { sha: ref, state: "pending", total_count: checks.length, statuses: checks.length === 0 ? null : statuses },
          };
        }
      }
      if (pull === undefined) return notFound;
      const submitted = pull.reviews.filter(({ state }) => state !== undefined);
      switch (operation.name) {
        case `GET ${pullPath}`:
          return { status: 200, body: toPull(pull) };
        case `PATCH ${pullPath}`:
          if (body.title !== undefined) setTitle(pull, body.title);
          Object.assign(pull, { body: body.body ?? pull.body, base: body.base ?? pull.base });
          return { status: 201, body: toPull(pull) };
        case `GET ${pullPath}/reviews`:
          return list(
            submitted.map(({ id, author, state = "commented", body: text, lines, at }) => ({
              ...{ id, user: toUser(author), state: reviewStates[state], body: text, comments_count: lines.length, official: true },
              ...{ dismissed: false, stale: false, html_url: `${pageOf(pull)}#issuecomment-${id}`, submitted_at: at, updated_at: at },
            })),
          );
        case `GET ${pullPath}/reviews/:review/comments`: {
          const review = submitted.find(({ id }) => id === Number(reviewId));
          return {
            status: 200,
            body: (review?.lines ?? []).map((line) => ({
              ...{
                id: line.id,
                user: toUser(review?.author ?? ""),
                body: line.body,
                path: line.path,
                position: line.line,
                original_position: 0,
              },
              ...{ html_url: `${pageOf(pull)}#issuecomment-${line.id}`, created_at: review?.at, updated_at: review?.at },
            })),
          };
        }
        case `GET ${repository}/issues/:index/comments`:
          return {
            status: 200,
            body: pull.reviews
              .filter(({ state }) => state === undefined)
              .map(({ id, author, body: text, at }) => ({
                ...{ id, user: toUser(author), body: text, html_url: `${pageOf(pull)}#issuecomment-${id}`, created_at: at, updated_at: at },
              })),
          };
        default:
          return notFound;
      }
    },
  };
}
