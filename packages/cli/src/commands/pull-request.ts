import { randomUUID } from "node:crypto";
import {
  commandResultSchema,
  type OpenPullRequest,
  openedPullRequestSchema,
  type PullRequest,
  pullRequestSchema,
  type SendPullRequestFeedback,
} from "@skein/contracts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatHooks } from "../format/hooks-text.ts";
import { formatPullRequest } from "../format/pull-request-text.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";

export interface PullRequestOptions {
  home?: string;
  json?: boolean;
  title?: string;
  body?: string;
  base?: string;
  draft?: boolean;
  ready?: boolean;
  status?: boolean;
  sendFeedback?: boolean;
}

/** `skein pr`: pushes the branch and creates the pull request or updates it; shows it; sends its feedback to the agent. */
export async function pullRequest(id: string, options: PullRequestOptions): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options.home === undefined ? {} : { home: options.home });
  const { client } = connection;
  const path = `/api/attempts/${await resolveAttempt(client, prefix)}/pull-request`;
  const print = (result: unknown, text: () => string) => console.log(options.json ? JSON.stringify(result, null, 2) : text());

  if (options.sendFeedback) {
    // what has failed since the last look, too
    await client.post(`${path}/check`, {}, pullRequestSchema);
    const body: SendPullRequestFeedback = { id: `cli-${randomUUID()}` };
    const result = await client.post(`${path}/feedback`, body, commandResultSchema);
    const where = result.queued === undefined ? `Follow it: skein show ${id}` : "The agent is working: it gets the message next.";
    print(result, () => `Sent the failed checks and comments to the agent. ${where}`);
    return exitCode.success;
  }
  if (options.status) {
    const found = await client.post(`${path}/check`, {}, pullRequestSchema);
    print(found, () => formatPullRequest(found, id));
    return hasFailed(found) ? exitCode.failed : exitCode.success;
  }
  const opened = await client.post(path, toRequest(options), openedPullRequestSchema);
  print(opened, () => {
    const hooks = formatHooks(opened.hooks);
    if (opened.outcome !== "pushed") {
      return `${hooks}${opened.outcome === "created" ? "Created" : "Updated"} the pull request.\n${formatPullRequest(opened.pullRequest, id)}`;
    }
    const { newPullRequestUrl } = opened;
    return `${hooks}Pushed the branch.${newPullRequestUrl === null ? "" : `\nOpen a pull request: ${newPullRequestUrl}`}`;
  });
  return exitCode.success;
}

function toRequest({ title, body, base, draft, ready }: PullRequestOptions): OpenPullRequest {
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(base === undefined ? {} : { base }),
    ...(draft ? { draft: true } : ready ? { draft: false } : {}),
  };
}

/** For scripts: closed without a merge, a failed check, or a forge that does not answer. */
function hasFailed({ state, checks, problem }: PullRequest): boolean {
  return state === "closed" || problem !== null || (state !== "merged" && checks.some((check) => check.state === "failure"));
}
