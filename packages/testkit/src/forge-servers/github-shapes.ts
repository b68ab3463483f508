import type { ForgeWorld, ScriptedCheck, ScriptedPull, ScriptedReview } from "./forge-world.ts";
import { completeGithubAnswer as complete } from "./github-description.ts";

const reviewStates = { approved: "APPROVED", "changes-requested": "CHANGES_REQUESTED", commented: "COMMENTED" } as const;

/** GitHub's answers. What nobody reads is completed by the description. */
export function createGithubShapes(world: ForgeWorld, url: string) {
  const repository = `${url}/api/v3/repos/${world.path}`;
  const page = (pull: ScriptedPull) => `${url}/${world.path}/pull/${pull.number}`;
  const user = (login: string, isBot = false) => ({ login, type: isBot ? "Bot" : "User" });
  const toNodeId = (pull: ScriptedPull) => `PR_${pull.number}`;

  const toBranch = (ref: string, sha: string) => ({ ref, sha, label: `${world.path.split("/")[0]}:${ref}`, user: user("acme") });
  const toCommon = (pull: ScriptedPull) => ({
    ...{ number: pull.number, id: pull.number, node_id: toNodeId(pull), url: `${repository}/pulls/${pull.number}`, html_url: page(pull) },
    ...{ title: pull.title, body: pull.body, draft: pull.draft, state: pull.state === "open" ? "open" : "closed", user: user("ada") },
    ...{ head: toBranch(pull.head, world.headCommit(pull)), base: toBranch(pull.base, world.findCommit(pull.base) ?? "") },
    ...{ created_at: pull.createdAt, updated_at: pull.createdAt, merged_at: pull.state === "merged" ? pull.createdAt : null },
    ...{ author_association: "OWNER" },
  });

  return {
    toNodeId,
    toListedPull: (pull: ScriptedPull) => complete("pull-request-simple", toCommon(pull)),
    toPull: (pull: ScriptedPull) =>
      complete("pull-request", {
        ...toCommon(pull),
        merged: pull.state === "merged",
        mergeable: pull.state === "open" ? true : null,
        mergeable_state: pull.state === "open" ? "clean" : "unknown",
      }),
    toReview: (pull: ScriptedPull, { id, author, state = "commented", body, at }: ScriptedReview) =>
      complete("pull-request-review", {
        ...{ id, user: user(author), state: reviewStates[state], body, submitted_at: at, author_association: "MEMBER" },
        html_url: `${page(pull)}#pullrequestreview-${id}`,
      }),
    toLineComment: (pull: ScriptedPull, { id: reviewId, author, at }: ScriptedReview, line: ScriptedReview["lines"][number]) =>
      complete("pull-request-review-comment", {
        ...{ id: line.id, pull_request_review_id: reviewId, user: user(author), body: line.body, path: line.path, line: line.line },
        ...{ created_at: at, updated_at: at, html_url: `${page(pull)}#discussion_r${line.id}`, author_association: "MEMBER" },
      }),
    toComment: (pull: ScriptedPull, { id, author, body, isBot, isStranger, at }: ScriptedReview) =>
      complete("issue-comment", {
        ...{ id, user: user(author, isBot), body, created_at: at, updated_at: at, html_url: `${page(pull)}#issuecomment-${id}` },
        author_association: isStranger ? "NONE" : "MEMBER",
      }),
    toCheckRun: (commit: string, { id, name, state, summary }: ScriptedCheck) =>
      complete("check-run", {
        ...{ id, name, head_sha: commit, status: state === "pending" ? "in_progress" : "completed" },
        ...{ conclusion: state === "pending" ? null : state, html_url: `${url}/${world.path}/actions/runs/${id}/job/${id}` },
        output: {
          title: summary === "" ? null : summary,
          summary: null,
          text: null,
          annotations_count: 0,
          annotations_url: `${repository}/x`,
        },
      }),
    toCombinedStatus: (commit: string, statuses: unknown[]) =>
      complete("combined-commit-status", { sha: commit, state: "pending", statuses, total_count: statuses.length }),
  };
}
