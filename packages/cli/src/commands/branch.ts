import {
  type CommitRequest,
  committedSchema,
  type DiscardRequest,
  type GitState,
  gitStateSchema,
  type LandRequest,
  landingSchema,
  type PushRequest,
  pushedSchema,
  type RestoreRequest,
  restoredSchema,
  type SuggestCommitMessage,
  suggestedCommitMessageSchema,
  type UpdateAttemptBase,
  updatedAttemptBaseSchema,
} from "@skein/contracts";
import { chooseGitStep, formatText, type GitStep } from "@skein/engine";
import { CliError } from "../cli-error.ts";
import type { Reader } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatHooks } from "../format/hooks-text.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { toTerminalText } from "../terminal/terminal-text.ts";

interface Options {
  home?: string;
  json?: boolean;
}

/** Sends one operation for the attempt, prints its result, and returns it. */
async function operate<Result>(
  id: string,
  { home, json }: Options,
  request: { path: string; body?: unknown; reader: Reader<Result>; describe(result: Result): string },
): Promise<Result> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(home === undefined ? {} : { home });
  const { client } = connection;
  const path = `/api/attempts/${await resolveAttempt(client, prefix)}/${request.path}`;
  const result =
    request.body === undefined ? await client.get(path, request.reader) : await client.post(path, request.body, request.reader);
  console.log(json ? JSON.stringify(result, null, 2) : request.describe(result));
  return result;
}

/** `skein git`: the state of an attempt's branch, and what to do next. */
export async function gitState(id: string, options: Options): Promise<number> {
  await operate(id, options, { path: "git", reader: gitStateSchema, describe: (state) => describeState(state, id) });
  return exitCode.success;
}

export async function commit(id: string, options: Options & { message?: string; suggest?: boolean; files?: string[] }): Promise<number> {
  const { message } = options;
  if ((message === undefined) !== (options.suggest === true)) {
    throw new CliError("A commit needs either --message or --suggest.", {
      hint: `Commit with a suggested message: skein commit ${id} --message "$(skein commit ${id} --suggest)"`,
      exitCode: exitCode.usage,
    });
  }
  if (message === undefined) {
    const body: SuggestCommitMessage = options.files === undefined ? {} : { paths: options.files };
    const { model } = await operate(id, options, {
      ...{ path: "commit-message", body, reader: suggestedCommitMessageSchema },
      describe: (suggested) => toTerminalText(suggested.message),
    });
    console.error(`Suggested by ${toTerminalText(model)}, which got the diff.`);
    return exitCode.success;
  }
  const files = options.files?.map((path) => ({ path }));
  const body: CommitRequest = { message, ...(files === undefined ? {} : { files }) };
  await operate(id, options, {
    ...{ path: "commit", body, reader: committedSchema },
    describe: (done) => `${formatHooks(done.hooks)}Committed ${toFiles(done.files)} as ${short(done.commit)}.`,
  });
  return exitCode.success;
}

export async function update(id: string, options: Options & { merge?: boolean; abort?: boolean; continue?: boolean }): Promise<number> {
  if (options.abort || options.continue) {
    const body = { action: options.abort ? "abort" : "finish" };
    await operate(id, options, { path: "conflict", body, reader: gitStateSchema, describe: (state) => describeState(state, id) });
    return exitCode.success;
  }
  const body: UpdateAttemptBase = { method: options.merge ? "merge" : "rebase" };
  const result = await operate(id, options, {
    ...{ path: "update", body, reader: updatedAttemptBaseSchema },
    describe(done) {
      if (done.outcome === "up-to-date") return "Already up to date.";
      if (done.outcome === "updated") return `Updated: the branch is now at ${short(done.head)}.`;
      const files = done.conflict.files.map(({ path }) => `  ${path}`).join("\n");
      return `Conflicts in:\n${files}\nEdit them in the attempt's folder, then: skein update ${id} --continue\nOr go back: skein update ${id} --abort`;
    },
  });
  return result.outcome === "conflict" ? exitCode.failed : exitCode.success;
}

export async function land(
  id: string,
  options: Options & { method?: LandRequest["method"]; message?: string; undo?: boolean },
): Promise<number> {
  if (options.undo) {
    await operate(id, options, { path: "undo-land", body: {}, reader: gitStateSchema, describe: () => "The landing was undone." });
    return exitCode.success;
  }
  const { method, message } = options;
  const body: LandRequest = { ...(method === undefined ? {} : { method }), ...(message === undefined ? {} : { message }) };
  await operate(id, options, {
    ...{ path: "land", body, reader: landingSchema },
    describe: (landing) => `Landed on ${landing.branch} as ${short(landing.commit)}. Undo: skein land ${id} --undo`,
  });
  return exitCode.success;
}

export async function push(id: string, options: Options & { remote?: string }): Promise<number> {
  const body: PushRequest = options.remote === undefined ? {} : { remote: options.remote };
  await operate(id, options, {
    ...{ path: "push", body, reader: pushedSchema },
    describe: ({ branch, remote, newPullRequestUrl, hooks }) =>
      `${formatHooks(hooks)}Pushed ${branch} to ${remote}.${newPullRequestUrl === null ? "" : `\nOpen a pull request: ${newPullRequestUrl}`}`,
  });
  return exitCode.success;
}

export async function discard(id: string, files: string[], options: Options): Promise<number> {
  const body: DiscardRequest = { files: files.map((path) => ({ path })) };
  await operate(id, options, {
    ...{ path: "discard", body, reader: restoredSchema },
    describe: (done) => `Discarded the changes of ${toFiles(done.paths.length)}. Undo: skein restore ${id} --to ${done.safetyRef.ref}`,
  });
  return exitCode.success;
}

/** `skein restore <id> --to <place>`: files of an attempt as they were at an execution or in a safety ref. */
export async function restoreAttempt(id: string, options: Options & { to: string; before?: boolean }): Promise<number> {
  const isRef = options.to.startsWith("refs/skein/safety/");
  if (!isRef && !options.to.startsWith("exe_")) {
    throw new CliError("--to takes an execution (exe_…) or a safety ref (refs/skein/safety/…).", {
      hint: `List the safety refs: skein git ${id}`,
      exitCode: exitCode.usage,
    });
  }
  const place = options.before ? "before" : "after";
  const body = (isRef ? { ref: options.to } : { executionId: options.to, to: place }) as RestoreRequest;
  await operate(id, options, {
    ...{ path: "restore", body, reader: restoredSchema },
    describe: (done) => `Restored ${toFiles(done.paths.length)}. Undo: skein restore ${id} --to ${done.safetyRef.ref}`,
  });
  return exitCode.success;
}

const short = (commit: string): string => commit.slice(0, 10);
const toFiles = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

const steps: Record<GitStep, (id: string) => string | undefined> = {
  resolve: (id) => `Resolve the conflicts, then: skein update ${id} --continue`,
  commit: (id) => `skein commit ${id} --message "…"`,
  update: (id) => `skein update ${id}`,
  land: (id) => `skein land ${id}`,
  push: (id) => `skein push ${id}`,
  "pull-request": (id) => `skein pr ${id}`,
  none: () => undefined,
};

function describeState(state: GitState, id: string): string {
  const { branch, base, ahead, behind, dirty, conflict, landing, pullRequest, safetyRefs } = state;
  const next = steps[chooseGitStep(state)](id);
  const obstacle = state.obstacles.land;
  return [
    `Branch       ${branch ?? "(none)"}${state.head === null ? "" : ` at ${short(state.head)}`}`,
    ...(base.branch === null ? [] : [`Base         ${base.branch}${base.tip === null ? " (gone)" : ""}`]),
    ...(ahead === null || behind === null ? [] : [`Commits      ${ahead} ahead, ${behind} behind`]),
    `Uncommitted  ${toFiles(dirty.files)}`,
    ...(conflict === null
      ? []
      : [`Conflicts    ${conflict.files.map(({ path, isResolved }) => `${path}${isResolved ? " (resolved)" : ""}`).join(", ")}`]),
    ...(pullRequest === null ? [] : [`Pull request #${pullRequest.number} ${pullRequest.state}, ${pullRequest.url}`]),
    ...(landing === null ? [] : [`Landed       on ${landing.branch} as ${short(landing.commit)}`]),
    ...safetyRefs.map(({ ref, before }) => `Safety copy  ${ref} (before ${before})`),
    ...(next === undefined ? (obstacle === undefined ? [] : [formatText(obstacle.text)]) : [`Next: ${next}`]),
  ].join("\n");
}
