import { type DescribedCall, matchOperation } from "./described-operations.ts";
import { type ForgeAnswer, type ForgeApi, type ForgeApiContext, paginate } from "./forge-api.ts";
import type { ScriptedCheck, ScriptedPull } from "./forge-world.ts";

const base = "/api/v4";
const project = "/projects/:id";
const mergeRequest = `${project}/merge_requests/:iid`;
const page = ["page", "per_page"];

/** From GitLab's documentation of its REST API: merge requests, notes, approvals, commits, repositories, jobs. */
const operations: Record<string, DescribedCall> = {
  [`GET ${project}/merge_requests`]: { query: [...page, "source_branch", "target_branch", "state"] },
  [`POST ${project}/merge_requests`]: {
    body: ["source_branch", "target_branch", "title", "description", "remove_source_branch", "squash"],
    required: ["source_branch", "target_branch", "title"],
  },
  [`GET ${mergeRequest}`]: {},
  [`PUT ${mergeRequest}`]: { body: ["title", "description", "target_branch", "state_event"] },
  [`GET ${mergeRequest}/notes`]: { query: [...page, "sort", "order_by"] },
  [`GET ${mergeRequest}/approvals`]: {},
  [`GET ${mergeRequest}/reviewers`]: {},
  [`GET ${project}/repository/compare`]: { query: ["from", "to", "straight"] },
  [`GET ${project}/repository/commits/:sha/statuses`]: { query: [...page, "ref", "all"] },
  [`GET ${project}/jobs/:job/trace`]: {},
};

const notFound: ForgeAnswer = { status: 404, body: { message: "404 Not Found" } };
const states = { pending: "running", success: "success", failure: "failed" } as const;

/** GitLab's REST API v4. */
export function createGitlabApi({ world, url, report }: ForgeApiContext): ForgeApi {
  const toUser = (username: string) => ({ id: 1, username, name: username, state: "active", web_url: `${url}/${username}` });
  const toMergeRequest = (pull: ScriptedPull) => ({
    ...{ id: 1000 + pull.number, iid: pull.number, project_id: 1, title: pull.draft ? `Draft: ${pull.title}` : pull.title },
    ...{ description: pull.body, state: pull.state === "open" ? "opened" : pull.state, draft: pull.draft, work_in_progress: pull.draft },
    ...{ sha: world.headCommit(pull), source_branch: pull.head, target_branch: pull.base, has_conflicts: false },
    ...{
      merge_status: "can_be_merged",
      detailed_merge_status: pull.state !== "open" ? "not_open" : pull.draft ? "draft_status" : "mergeable",
    },
    ...{ web_url: `${url}/${world.path}/-/merge_requests/${pull.number}`, author: toUser("ada"), created_at: pull.createdAt },
  });
  const toNotes = (pull: ScriptedPull) =>
    pull.reviews.flatMap(({ id, author, body, at, lines }) => {
      const common = { author: toUser(author), created_at: at, updated_at: at, system: false, noteable_type: "MergeRequest" };
      const own = body === "" ? [] : [{ id, type: null, body, resolvable: false, ...common }];
      const position = (line: { path: string; line: number }) => ({
        ...{ base_sha: "", start_sha: "", head_sha: "", position_type: "text", old_path: line.path, new_path: line.path },
        ...{ old_line: null, new_line: line.line },
      });
      return [
        ...own,
        ...lines.map((line) => ({ id: line.id, type: "DiffNote", body: line.body, position: position(line), resolvable: true, ...common })),
      ];
    });
  const toStatus = (sha: string, { id, name, state, summary }: ScriptedCheck) => ({
    ...{ id, sha, ref: "x", status: states[state], name, description: summary === "" ? null : summary, allow_failure: false },
    ...{ target_url: `${url}/${world.path}/-/jobs/${id}`, created_at: "2026-01-01T00:00:00.000Z", author: toUser("ada") },
  });

  function setTitle(pull: ScriptedPull, title: string): void {
    pull.draft = /^draft:/i.test(title);
    pull.title = title.replace(/^draft:\s*/i, "");
  }

  function create(body: Record<string, string>): ForgeAnswer {
    const { source_branch: head = "", target_branch: onto = "", title = "", description = "" } = body;
    const open = world.pulls.find((pull) => pull.state === "open" && pull.head === head && pull.base === onto);
    if (open !== undefined) {
      return { status: 409, body: { message: [`Another open merge request already exists for this source branch: !${open.number}`] } };
    }
    const pull = world.openPull({ title: "", body: description, head, base: onto, draft: false });
    setTitle(pull, title);
    return { status: 201, body: toMergeRequest(pull) };
  }

  return {
    unauthorized: () => ({ status: 401, body: { message: "401 Unauthorized" } }),
    handle(call) {
      const { pathname, searchParams: query } = call.url;
      const operation = matchOperation(operations, { ...call, path: pathname.slice(base.length), query }, report);
      const { id, iid, sha, job } = operation?.parameters ?? {};
      if (operation === undefined || id !== world.path) return notFound;
      const pull = world.pulls.find(({ number }) => number === Number(iid));
      const body = (call.body ?? {}) as Record<string, string>;
      const list = (items: readonly unknown[]): ForgeAnswer => {
        const { page: shown, headers } = paginate(items, call.url, "per_page", 20);
        return { status: 200, body: shown, headers };
      };
      switch (operation.name) {
        case `GET ${project}/merge_requests`: {
          const wanted = world.pulls.filter((one) => one.state === "open" && one.head === query.get("source_branch"));
          return list(wanted.map(toMergeRequest));
        }
        case `POST ${project}/merge_requests`:
          return create(body);
        case `GET ${project}/repository/compare`: {
          const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
          if (world.findCommit(from) === undefined || world.findCommit(to) === undefined)
            return { status: 404, body: { message: "404 ref Not Found" } };
          return { status: 200, body: { commits: Array.from({ length: world.countAhead(from, to) }, () => ({})), diffs: [] } };
        }
        case `GET ${project}/repository/commits/:sha/statuses`:
          return list(world.checksOf(sha ?? "").map((check) => toStatus(sha ?? "", check)));
        case `GET ${project}/jobs/:job/trace`: {
          const check = world.pulls.flatMap((one) => world.checksOf(world.headCommit(one))).find((one) => one.id === Number(job));
          return check === undefined ? notFound : { status: 200, body: check.log };
        }
      }
      if (pull === undefined) return notFound;
      switch (operation.name) {
        case `GET ${mergeRequest}`:
          return { status: 200, body: toMergeRequest(pull) };
        case `PUT ${mergeRequest}`:
          if (body.title !== undefined) setTitle(pull, body.title);
          Object.assign(pull, { body: body.description ?? pull.body, base: body.target_branch ?? pull.base });
          return { status: 200, body: toMergeRequest(pull) };
        case `GET ${mergeRequest}/notes`:
          return list(toNotes(pull));
        case `GET ${mergeRequest}/approvals`: {
          const approved = pull.reviews.filter(({ state }) => state === "approved");
          return { status: 200, body: { approved_by: approved.map(({ author, at }) => ({ user: toUser(author), approved_at: at })) } };
        }
        case `GET ${mergeRequest}/reviewers`:
          return list(
            pull.reviews
              .filter(({ state }) => state === "changes-requested")
              .map(({ author, at }) => ({ user: toUser(author), state: "requested_changes", created_at: at })),
          );
        default:
          return notFound;
      }
    },
  };
}
