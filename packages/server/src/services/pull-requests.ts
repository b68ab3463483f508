import type { Actor, Attempt, AttemptId, ForgePullRequest, GitState, PullRequest, StoredPullRequest } from "@skein/contracts";
import { formatFeedback, listUnsent, parseRemoteUrl, ServiceError, takeStart, toOneLine } from "@skein/engine";
import type { ForgeRepository } from "@skein/forge";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import { describeChange } from "../pull-requests/describe-change.ts";
import type { ForgeConnections } from "../pull-requests/forge-connections.ts";
import { createHostLimits } from "../pull-requests/host-limits.ts";
import { toNextCheck } from "../pull-requests/next-check.ts";
import { savePullRequest, toOwner } from "../pull-requests/save-pull-request.ts";
import type { PullRequestWatch } from "../pull-requests/watch-pull-requests.ts";
import type { BranchService, PullRequestService } from "./change-services.ts";
import { getAttempt, getTask } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { CommandService } from "./task-services.ts";

/** Checks whose logs are read for one message. */
const maxLogs = 5;
const maxTitle = 250;
/** Pull requests that are read at the start for the limits of their hosts. */
const maxLimited = 200;
/** Looking again so soon changes nothing. */
const lookEveryMs = 60_000;

export interface PullRequestDependencies {
  connections: ForgeConnections;
  commands: CommandService;
  branches: BranchService;
  pollMs: number | undefined;
  /** Starts the watch, which needs `check`. */
  watch(check: (due: StoredPullRequest) => Promise<void>): PullRequestWatch;
}

/** Pull requests of attempts: open, watch, and send their feedback to the agent. */
export function createPullRequestService(context: ServiceContext, dependencies: PullRequestDependencies): PullRequestService {
  const { storage, now } = context;
  const { connections, commands, branches, pollMs } = dependencies;
  const maxRounds = () => context.settings.general().pullRequestRounds;
  const limits = createHostLimits({ now });
  let storedLimits: Promise<void> | undefined;
  const watch = dependencies.watch(checkWatched);

  /** Limits that were in force when the server stopped. */
  function loadLimits(): Promise<void> {
    storedLimits ??= storage.read
      .listWatchedPullRequests({ limit: maxLimited })
      .then((watched) => watched.forEach(({ pullRequest }) => void limits.learn(pullRequest)));
    return storedLimits;
  }

  async function findTarget({
    remote,
  }: Pick<GitState, "remote">): Promise<{ repository: ForgeRepository | undefined; host: string; path: string } | null> {
    const address = remote === null ? undefined : parseRemoteUrl(remote.url);
    if (address === undefined) return null;
    return { repository: await connections.recognise(address), host: address.host, path: address.path };
  }

  async function getStored(id: AttemptId): Promise<StoredPullRequest> {
    const stored = await storage.read.findPullRequest({ attemptId: id });
    if (stored === undefined) throw new ServiceError("conflict", { code: "no-pull-request" });
    return stored;
  }

  /** The forge of a stored pull request. Its host may have been removed from the settings since. */
  async function openStored({ pullRequest: { forge: kind, host, repository: path, url } }: StoredPullRequest) {
    const repository = await connections.recognise({ host, path, protocol: new URL(url).protocol === "http:" ? "http" : "https" });
    if (repository === undefined || repository.kind !== kind) throw new ServiceError("conflict", { code: "unknown-forge", host });
    return connections.open(repository);
  }

  /** What was read becomes the stored state. The row is read again: feedback may have been sent meanwhile. */
  async function saveRead(
    owner: ReturnType<typeof toOwner>,
    place: Pick<PullRequest, "forge" | "host" | "repository">,
    read: ForgePullRequest,
  ): Promise<PullRequest> {
    const at = now();
    return storage.transaction(async (tx) => {
      const known = await tx.findPullRequest({ attemptId: owner.attemptId });
      // another one: what was sent of the last one does not count
      const before = known?.pullRequest.number === read.number ? known : undefined;
      const sent = before?.sent ?? [];
      const pullRequest: PullRequest = {
        ...{ ...read, ...place, problem: null, checkedAt: at },
        ...{ unsent: listUnsent(read, sent), automaticRounds: before?.pullRequest.automaticRounds ?? 0 },
      };
      const watched = { pullRequest, seenAt: before?.seenAt ?? at, failures: 0 };
      const publishAfter = before?.publishAfter ?? null;
      const stored = {
        ...{ ...owner, ...watched, sent, publishAfter, nextCheckAt: toNextCheck(watched, { now: at, pollMs }) },
        inbox: known?.inbox ?? null,
      };
      await savePullRequest(tx, { stored, before: before?.pullRequest, at, maxRounds: maxRounds() });
      return pullRequest;
    });
  }

  async function saveProblem({ attemptId, pullRequest: asked }: StoredPullRequest, problem: PullRequest["problem"]): Promise<void> {
    const at = now();
    await storage.transaction(async (tx) => {
      const known = await tx.findPullRequest({ attemptId });
      if (known === undefined || known.pullRequest.number !== asked.number) return;
      const pullRequest = { ...known.pullRequest, problem };
      const watched = { pullRequest, seenAt: known.seenAt, failures: known.failures + 1 };
      const stored = { ...known, ...watched, nextCheckAt: toNextCheck(watched, { now: at, pollMs }) };
      await savePullRequest(tx, { stored, before: known.pullRequest, at, maxRounds: maxRounds() });
    });
  }

  /** Makes no request to a host that rejects them for now. The user may, by `check`. */
  async function checkWatched(stored: StoredPullRequest): Promise<void> {
    await loadLimits();
    const { host } = stored.pullRequest;
    const until = limits.find(host);
    return until === undefined ? check(stored) : saveProblem(stored, { code: "forge-rate-limited", host, until });
  }

  /** Asks the forge, and saves its answer or why there is none. Rejects only if nothing can be saved. */
  async function check(stored: StoredPullRequest): Promise<void> {
    const { attemptId, taskId, pullRequest } = stored;
    const { forge: kind, host, repository, number } = pullRequest;
    try {
      await publishAutomatically(stored);
      const { forge } = await openStored(stored);
      await saveRead({ attemptId, taskId }, { forge: kind, host, repository }, await forge.readPullRequest({ number }));
      limits.lift(host);
    } catch (error) {
      const { ForgeError } = await import("@skein/forge");
      if (error instanceof ForgeError) {
        limits.learn({ host, problem: error.failure });
        return saveProblem(stored, error.failure);
      }
      // it must not keep the others from being checked
      if (!(error instanceof ServiceError)) context.logger.error("a pull request could not be checked", { attemptId, error });
      const reason = error instanceof ServiceError ? error.message : "unexpected failure, see the log";
      return saveProblem(stored, { code: "forge-error", host, reason });
    }
    // what cannot be sent stays unsent, and does not keep other pull requests from being checked
    await sendAutomatically(attemptId).catch((error: unknown) =>
      context.logger.warn("feedback could not be sent automatically", { attemptId, error }),
    );
  }

  /** Only when every check has ended and the agent is idle, so that one message has all of it. */
  async function sendAutomatically(attemptId: AttemptId): Promise<void> {
    const rounds = maxRounds();
    const stored = await storage.read.findPullRequest({ attemptId });
    if (stored === undefined || rounds === 0) return;
    const { pullRequest } = stored;
    const isOpen = pullRequest.state === "open" || pullRequest.state === "draft";
    if (!isOpen || pullRequest.automaticRounds >= rounds || pullRequest.checks.some((one) => one.state === "pending")) return;
    // anybody may comment on a public repository
    const unsent = { ...pullRequest.unsent, reviews: pullRequest.unsent.reviews.filter((id) => isByMember(pullRequest, id)) };
    if (unsent.checks.length + unsent.reviews.length === 0) return;
    if ((await storage.read.listRunningExecutions({ attemptId })).length > 0) return;
    const command = `pull-request-${attemptId}-${pullRequest.number}-${pullRequest.automaticRounds + 1}`;
    await send(stored, { id: command, message: "", unsent, isAutomatic: true });
  }

  async function send(
    stored: StoredPullRequest,
    {
      id,
      message,
      unsent,
      isAutomatic,
      by,
    }: { id: string; message: string; unsent: PullRequest["unsent"]; isAutomatic: boolean; by?: Actor | undefined },
  ) {
    const { attemptId, taskId, pullRequest } = stored;
    const failed = pullRequest.checks.filter((one) => unsent.checks.includes(one.id));
    const logs = await readLogs(stored, failed);
    const reviews = pullRequest.reviews.filter((one) => unsent.reviews.includes(one.id));
    const text = formatFeedback(
      { pullRequest, checks: failed.map((one, index) => ({ check: one, log: logs[index] ?? "" })), reviews },
      message,
    );
    return commands.execute(
      { type: "SEND_MESSAGE", id, taskId, attemptId, message: text },
      async (tx, { executionId }) => {
        const known = await tx.findPullRequest({ attemptId });
        if (known === undefined || known.pullRequest.number !== pullRequest.number) return;
        // another window, or an automatic round, was faster
        if ([...unsent.checks, ...unsent.reviews].every((one) => known.sent.includes(one))) {
          throw new ServiceError("conflict", { code: "no-feedback" });
        }
        const publishAfter = isAutomatic ? (executionId ?? null) : known.publishAfter;
        const sent = [...new Set([...known.sent, ...unsent.checks, ...unsent.reviews])];
        const automaticRounds = known.pullRequest.automaticRounds + (isAutomatic ? 1 : 0);
        const after = { ...known.pullRequest, unsent: listUnsent(known.pullRequest, sent), automaticRounds };
        const changes = { sent, publishAfter, pullRequest: after, seenAt: now() };
        await savePullRequest(tx, { stored: { ...known, ...changes }, before: known.pullRequest, at: now(), maxRounds: maxRounds() });
      },
      by,
    );
  }

  /** Feedback that was sent automatically is answered by a push, once the agent has succeeded. Any other end is left to the user. */
  async function publishAutomatically({ attemptId, pullRequest, publishAfter }: StoredPullRequest): Promise<void> {
    if (publishAfter === null) return;
    const executions = await storage.read.listExecutions({ attemptId });
    const [answer, last] = [executions.find(({ id }) => id === publishAfter), executions.at(-1)];
    if (answer?.status === "running") return;
    await storage.transaction(async (tx) => {
      const known = await tx.findPullRequest({ attemptId });
      if (known !== undefined) await tx.putPullRequest({ ...known, publishAfter: null });
    });
    // the user has continued meanwhile
    if (answer?.status !== "success" || last?.id !== answer.id) return;
    const state = await branches.state(attemptId);
    const repository = (await findTarget(state))?.repository;
    // an agent may have changed remote or branch: without being asked, nothing is published anywhere else
    const isSame = repository?.host === pullRequest.host && repository.path === pullRequest.repository && state.branch === pullRequest.head;
    if (repository === undefined || !isSame) return;
    if (state.dirty.files > 0) await branches.commit(attemptId, { message: `Address feedback on #${pullRequest.number}` });
    await branches.push(attemptId, { remote: state.remote?.name }, (await connections.open(repository)).gitCredential);
  }

  /** A log that cannot be read is left out: the agent has the name and the summary of the check. */
  async function readLogs(stored: StoredPullRequest, failed: PullRequest["checks"]): Promise<string[]> {
    try {
      const { forge } = await openStored(stored);
      return await Promise.all(failed.slice(0, maxLogs).map((one) => forge.readCheckLog(one).catch(() => "")));
    } catch {
      return [];
    }
  }

  async function describe(attempt: Attempt) {
    const task = await getTask(storage.read, attempt.taskId);
    const folder = await getAttemptFolder(context, attempt);
    const [{ messages }, diff] = await Promise.all([
      storage.read.listConversationMessages({ attemptId: attempt.id, limit: 100 }),
      context.host.workspaces.diff(folder).catch(() => undefined),
    ]);
    const answer = messages.findLast((message) => message.messageType === "text" && message.role === "assistant")?.content ?? "";
    return { title: takeStart(toOneLine(task.title), maxTitle), body: describeChange({ task, answer, diff }) };
  }

  return {
    async plan(id) {
      const attempt = await getAttempt(storage.read, id);
      const state = await branches.state(id);
      const found = await findTarget(state);
      const access = found?.repository && (await connections.describeAccess(found.repository));
      return {
        ...{ pullRequest: state.pullRequest, ...(await describe(attempt)), base: toBase(state) },
        target: found && {
          ...{ host: found.host, repository: found.path, forge: found.repository?.kind ?? null },
          ...{ credential: access?.credential ?? null, signIn: access?.credential === null ? access.signIn : null },
        },
      };
    },

    async open(id, input) {
      const attempt = await getAttempt(storage.read, id);
      const state = await branches.state(id);
      const found = await findTarget(state);
      if (found?.repository === undefined) {
        const { newPullRequestUrl, hooks } = await branches.push(id, {});
        return { outcome: "pushed", newPullRequestUrl, hooks };
      }
      const { repository } = found;
      const base = input.base ?? state.pullRequest?.base ?? toBase(state);
      if (base === null) throw new ServiceError("conflict", { code: "no-base-branch" });
      // before the push, so that nothing is published by a request that cannot succeed
      const { forge, gitCredential } = await connections.open(repository);
      const { branch: head, hooks } = await branches.push(id, {}, gitCredential);
      const known = state.pullRequest;
      const isOpen = known !== null && (known.state === "open" || known.state === "draft") && known.repository === repository.path;
      const { title, body, draft } = input;
      let opened: { number: number; outcome: "created" | "updated" };
      if (isOpen) {
        opened = { number: known.number, outcome: "updated" };
        await forge.updatePullRequest({ number: known.number, title, body, draft, base: input.base });
      } else {
        const described = title === undefined || body === undefined ? await describe(attempt) : { title, body };
        const wanted = { title: title ?? described.title, body: body ?? described.body, head, base, draft: draft ?? false };
        opened = await forge.createPullRequest(wanted);
      }
      const place = { forge: repository.kind, host: repository.host, repository: repository.path };
      const pullRequest = await saveRead(toOwner(attempt), place, await forge.readPullRequest({ number: opened.number }));
      watch.wake();
      return { outcome: opened.outcome, pullRequest, hooks };
    },

    async check(id) {
      await check(await getStored(id));
      watch.wake();
      return (await getStored(id)).pullRequest;
    },

    async sendFeedback(id, { id: command, message }, by) {
      const repeated = await storage.read.findCommandResult({ id: command });
      if (repeated !== undefined) return repeated;
      const stored = await getStored(id);
      const { state, unsent } = stored.pullRequest;
      if (state === "merged" || state === "closed") throw new ServiceError("conflict", { code: "pull-request-closed" });
      if (unsent.checks.length + unsent.reviews.length === 0) throw new ServiceError("conflict", { code: "no-feedback" });
      return send(stored, { id: command, message, unsent, isAutomatic: false, by });
    },

    async look(id) {
      const at = now();
      const stored = await storage.read.findPullRequest({ attemptId: id });
      if (stored === undefined || stored.pullRequest.state === "merged" || stored.pullRequest.state === "closed") return;
      if (at - stored.seenAt < lookEveryMs) return;
      const saved = storage.transaction(async (tx) => {
        const known = await tx.findPullRequest({ attemptId: id });
        if (known === undefined) return;
        // not before a limit ends, and not more often than while it is watched
        const next = toNextCheck({ ...known, seenAt: at }, { now: known.pullRequest.checkedAt, pollMs });
        await tx.putPullRequest({ ...known, seenAt: at, nextCheckAt: next });
      });
      // on a full disk the branch is still shown
      await saved.catch((error: unknown) => context.logger.warn("a look at a pull request could not be saved", { error }));
      watch.wake();
    },

    watch: () => watch.wake(),
    close: () => watch.close(),
  };
}

/** Of the attempt's base branch, which may be one of a remote. */
function toBase({ base, remote }: GitState): string | null {
  const prefix = `${remote?.name ?? ""}/`;
  return base.branch?.startsWith(prefix) ? base.branch.slice(prefix.length) : base.branch;
}

function isByMember({ reviews }: PullRequest, id: string): boolean {
  return reviews.some((review) => review.id === id && review.isMember);
}
