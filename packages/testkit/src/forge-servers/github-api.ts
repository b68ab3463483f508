import { type ForgeAnswer, type ForgeApi, type ForgeApiContext, type ForgeCall, paginate } from "./forge-api.ts";
import type { ScriptedPull } from "./forge-world.ts";
import { type DescribedOperation, openGithubDescription } from "./github-description.ts";
import { createGithubShapes } from "./github-shapes.ts";

const base = "/api/v3";
const notFound: ForgeAnswer = { status: 404, body: { message: "Not Found", documentation_url: "https://docs.github.com/rest" } };

/** GitHub as an Enterprise server has it: REST at `/api/v3`, GraphQL at `/api/graphql`. Every request and answer is checked. */
export function createGithubApi({ world, url, report }: ForgeApiContext): ForgeApi {
  const description = openGithubDescription();
  const shapes = createGithubShapes(world, url);

  function answer(operation: DescribedOperation, call: ForgeCall): ForgeAnswer {
    const { parameters } = operation;
    if (`${parameters.owner}/${parameters.repo}` !== world.path) return notFound;
    const number = Number(parameters.pull_number ?? parameters.issue_number);
    const pull = world.pulls.find((one) => one.number === number);
    const list = (items: readonly unknown[], wrap: (page: unknown[]) => unknown = (page) => page): ForgeAnswer => {
      const { page, headers } = paginate(items, call.url, "per_page");
      return { status: 200, body: wrap(page), headers };
    };
    switch (`${call.method} ${operation.path.replace("/repos/{owner}/{repo}", "")}`) {
      case "GET /pulls":
        return list(world.pulls.filter((one) => isListed(one, call.url.searchParams)).map(shapes.toListedPull));
      case "POST /pulls":
        return create(call.body as Record<string, unknown>);
      case "GET /pulls/{pull_number}":
        return pull === undefined ? notFound : { status: 200, body: shapes.toPull(pull) };
      case "PATCH /pulls/{pull_number}": {
        if (pull === undefined) return notFound;
        const { title = pull.title, body = pull.body, base: onto = pull.base } = call.body as Partial<ScriptedPull>;
        if (world.findCommit(onto) === undefined) return invalid([{ resource: "PullRequest", field: "base", code: "invalid" }]);
        Object.assign(pull, { title, body, base: onto });
        return { status: 200, body: shapes.toPull(pull) };
      }
      case "GET /pulls/{pull_number}/reviews":
        return pull === undefined
          ? notFound
          : list(pull.reviews.filter(({ state }) => state !== undefined).map((one) => shapes.toReview(pull, one)));
      case "GET /pulls/{pull_number}/comments":
        return pull === undefined
          ? notFound
          : list(pull.reviews.flatMap((one) => one.lines.map((line) => shapes.toLineComment(pull, one, line))));
      case "GET /issues/{issue_number}/comments":
        return pull === undefined
          ? notFound
          : list(pull.reviews.filter(({ state }) => state === undefined).map((one) => shapes.toComment(pull, one)));
      case "GET /commits/{ref}/check-runs": {
        const runs = world.checksOf(parameters.ref ?? "");
        return list(
          runs.map((check) => shapes.toCheckRun(parameters.ref ?? "", check)),
          (page) => ({ total_count: runs.length, check_runs: page }),
        );
      }
      case "GET /commits/{ref}/status":
        return list([], (page) => shapes.toCombinedStatus(parameters.ref ?? "", page));
      case "GET /check-runs/{check_run_id}/annotations":
        return list([]);
      case "GET /actions/jobs/{job_id}/logs": {
        const check = world.pulls
          .flatMap((one) => world.checksOf(world.headCommit(one)))
          .find(({ id }) => id === Number(parameters.job_id));
        if (check === undefined) return notFound;
        return { status: 302, body: "", headers: { location: `${url.replace("127.0.0.1", "localhost")}/logs/${check.id}` } };
      }
      default:
        return notFound;
    }
  }

  function create({ title, body, head, base: onto, draft }: Record<string, unknown>): ForgeAnswer {
    const [branch, target] = [String(head).replace(/^[^:]*:/, ""), String(onto)];
    if (world.findCommit(target) === undefined) return invalid([{ resource: "PullRequest", field: "base", code: "invalid" }]);
    if (world.findCommit(branch) === undefined) return invalid([{ resource: "PullRequest", field: "head", code: "invalid" }]);
    const owner = world.path.split("/")[0];
    if (world.pulls.some((pull) => pull.state === "open" && pull.head === branch && pull.base === target)) {
      return invalid([{ resource: "PullRequest", code: "custom", message: `A pull request already exists for ${owner}:${branch}.` }]);
    }
    if (world.countAhead(target, branch) === 0) {
      return invalid([{ resource: "PullRequest", code: "custom", message: `No commits between ${target} and ${branch}` }]);
    }
    const pull = world.openPull({ title: String(title), body: String(body ?? ""), head: branch, base: target, draft: draft === true });
    return { status: 201, body: shapes.toPull(pull) };
  }

  function graphQl(body: unknown): ForgeAnswer {
    const { query = "", variables } = body as { query?: string; variables?: { id?: string } };
    const [, mutation] = /\b(convertPullRequestToDraft|markPullRequestReadyForReview)\b/.exec(query) ?? [];
    const pull = world.pulls.find((one) => shapes.toNodeId(one) === variables?.id);
    if (mutation === undefined || pull === undefined)
      return { status: 200, body: { errors: [{ message: "Could not resolve to a node" }] } };
    pull.draft = mutation === "convertPullRequestToDraft";
    return { status: 200, body: { data: { [mutation]: { clientMutationId: null } } } };
  }

  return {
    unauthorized: () => ({
      status: 401,
      body: { message: "Bad credentials", documentation_url: "https://docs.github.com/rest", status: "401" },
    }),
    handle(call) {
      const { pathname, searchParams } = call.url;
      if (pathname === "/api/graphql" && call.method === "POST") return graphQl(call.body);
      const operation = pathname.startsWith(`${base}/`) ? description.find(call.method, pathname.slice(base.length)) : undefined;
      if (operation === undefined) {
        report(`${call.method} ${pathname} is not described`);
        return notFound;
      }
      for (const violation of operation.checkRequest(searchParams, call.body)) report(violation);
      const given = answer(operation, call);
      for (const violation of operation.checkAnswer(given.status, given.body)) report(violation);
      return given;
    },
  };

  function isListed(pull: ScriptedPull, query: URLSearchParams): boolean {
    const [state, head] = [query.get("state") ?? "open", query.get("head")];
    const isOpen = pull.state === "open";
    const isWanted = state === "all" || (state === "open") === isOpen;
    return isWanted && (head === null || head === `${world.path.split("/")[0]}:${pull.head}`);
  }
}

function invalid(errors: object[]): ForgeAnswer {
  return { status: 422, body: { message: "Validation Failed", errors, documentation_url: "https://docs.github.com/rest" } };
}
