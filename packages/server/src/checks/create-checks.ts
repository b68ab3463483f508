import type {
  Attempt,
  AttemptCheck,
  AttemptId,
  CheckEndState,
  CheckRun,
  CheckRunId,
  NoticeText,
  Project,
  ProjectId,
} from "@skein/contracts";
import { createConcurrencyLimit, formatText, ServiceError, type StorageTransaction } from "@skein/engine";
import type { ScriptOutcome } from "@skein/host";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import type { HostedContext } from "../executions/execution-context.ts";
import { getProjectOf } from "../executions/project-of.ts";
import { reportRace, requestCheck, saveCheck } from "../executions/save-check.ts";
import { isElsewhere } from "../is-elsewhere.ts";
import { toFilesNotice, toScriptEnvironment } from "../repository/prepare-worktree.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import { toCheckCard } from "./to-check-card.ts";

const keptCharacters = 64 * 1024;
const shownCharacters = 2000;

/** Runs the check scripts of projects in the folders of attempts (L4). */
export interface Checks {
  /** Rejects with `check-open` while one waits or runs, and with `agent-working` while the attempt's agent does. */
  request(id: AttemptId): Promise<AttemptCheck>;
  /** Rejects with `no-open-check`. */
  stop(id: AttemptId): Promise<AttemptCheck>;
  find(id: AttemptId): Promise<AttemptCheck>;
  /** Runs what waits, and records what an earlier server was running as interrupted. */
  recover(): Promise<void>;
  /** Ends what runs; it is recorded as interrupted. */
  close(): Promise<void>;
  /** Before an attempt is deleted. Resolves when nothing of its check runs any more. */
  forget(id: AttemptId): Promise<void>;
}

interface RunningCheck {
  id: CheckRunId;
  directory: string;
  /** Why it is ended. */
  cause?: "stopped" | "interrupted";
  over: Promise<void>;
}

type OfState<State extends CheckRun["state"]> = Extract<CheckRun, { state: State }>;
type OpenCheck = OfState<"waiting"> | OfState<"running">;

export function createChecks(input: {
  context: HostedContext;
  trust: RepositoryTrust;
  /** Where programs in a sandbox may connect to. */
  readHosts(projectId: ProjectId): readonly string[];
  /** Resolves when the files that an execution left are recorded and, if the project wants that, committed. */
  waitUntilSettled: (id: NonNullable<CheckRun["executionId"]>) => Promise<void>;
}): Checks {
  const { context, trust } = input;
  const { storage, host, logger, now, hub } = context;
  const files = host.workspaces;
  const current = new Map<AttemptId, RunningCheck>();
  /** Scripts that are being ended. */
  const endings = new Map<AttemptId, Promise<void>>();
  /** By host. Tests keep all cores busy: many at once take longer than a few. Two at least, so that one that hangs does not hold up all others. */
  const lanes = new Map<string, ReturnType<typeof createConcurrencyLimit>>();
  let isClosed = false;

  function laneOf({ hostId }: Attempt): ReturnType<typeof createConcurrencyLimit> {
    const key = hostId ?? "";
    const lane = lanes.get(key) ?? createConcurrencyLimit(Math.max(2, Math.floor(host.startsAtOnce / 2)));
    lanes.set(key, lane);
    return lane;
  }

  const stopListening = hub.subscribe(({ seq, event }) => {
    if (seq === undefined) return;
    if (event.type === "execution:started") end(event.attemptId, "stopped");
    if (event.type !== "task:attempt-updated" || event.updates.check === undefined) return;
    const { check } = event.updates;
    if (check.state === "waiting") void take(event.attemptId);
    if (check.state === "running" && check.stopRequested) end(event.attemptId, "stopped");
  });

  /** Everything is found again by `recover`. */
  async function take(id: AttemptId): Promise<void> {
    try {
      const attempt = await storage.read.findAttempt({ id });
      if (attempt?.check?.state === "waiting" && !isElsewhere(storage, attempt)) start(attempt, attempt.check);
    } catch (error) {
      logger.error("a check could not be started", { attemptId: id, error });
    }
  }

  function start(attempt: Attempt, check: OfState<"waiting">): void {
    if (isClosed || current.has(attempt.id)) return;
    const running: RunningCheck = { id: check.id, directory: attempt.directory, over: Promise.resolve() };
    current.set(attempt.id, running);
    running.over = laneOf(attempt)(() => run(attempt.id, check, running))
      .catch((error: unknown) => logger.error("a check could not be run", { attemptId: attempt.id, error }))
      .finally(() => {
        if (current.get(attempt.id) === running) current.delete(attempt.id);
        // another one may have been requested since its end was saved
        if (!isClosed) void take(attempt.id);
      });
  }

  function end(id: AttemptId, cause: "stopped" | "interrupted"): void {
    const running = current.get(id);
    if (running === undefined || running.cause !== undefined) return;
    running.cause = cause;
    void endScript(id, running.directory);
  }

  /** Resolves when this one, and those asked for before, have ended: until then, they would also end a script that starts. */
  function endScript(id: AttemptId, directory: string): Promise<void> {
    const ended = files
      .endScript({ directory, marker: toMarker(id) })
      .catch((error: unknown) => logger.warn("a check could not be ended", { attemptId: id, error }));
    const all = Promise.all([endings.get(id), ended]).then(() => {
      if (endings.get(id) === all) endings.delete(id);
    });
    endings.set(id, all);
    return all;
  }

  async function run(attemptId: AttemptId, check: OfState<"waiting">, running: RunningCheck): Promise<void> {
    if (check.executionId !== null) await input.waitUntilSettled(check.executionId);
    // what is ended before it has begun waits for the next server
    if (isClosed) return;
    const attempt = await storage.read.findAttempt({ id: attemptId });
    if (attempt === undefined) return;
    const project = await getProjectOf(storage.read, attempt);
    const script = await findScript(project, attempt);
    if ("code" in script) return notRun(attemptId, check, script);
    const begun = await begin(attempt, check, script.text);
    if (begun === undefined) return;
    // it was ended while it was being prepared
    const outcome = running.cause === undefined ? await runScript(project, attempt, script) : ended;
    if (outcome.startError !== undefined && outcome.output === "") {
      return notRun(attemptId, begun, { code: "check-not-started", reason: outcome.startError });
    }
    await finish(attempt, begun, { outcome, script: script.text, state: running.cause ?? toEndState(outcome) });
  }

  async function findScript(project: Project, attempt: Attempt): Promise<{ text: string; timeoutMs: number } | NoticeText> {
    if (!(await files.exists({ directory: attempt.directory }))) return { code: "check-folder-gone" };
    const known = await trust.readScripts(project, attempt.directory);
    if (known.read.kind === "unusable") return { code: "script-not-run", script: "check", reason: formatText(known.read.problem) };
    if (known.read.kind === "none" || known.read.scripts.check === undefined) return { code: "check-missing" };
    if (!known.isDefinitionTrusted) return { code: "check-not-trusted", state: known.trust === "none" ? "untrusted" : "changed" };
    // the agent may have changed what decides about its work
    if (!known.runs.check.isTrusted) return toFilesNotice("check", known.runs.check);
    const { check, checkTimeoutSeconds } = known.read.scripts;
    return { text: check, timeoutMs: checkTimeoutSeconds * 1000 };
  }

  /** Undefined if it is no longer to be run. */
  async function begin(attempt: Attempt, check: OfState<"waiting">, script: string): Promise<OfState<"running"> | undefined> {
    const folder = await getAttemptFolder(context, attempt);
    // what a lost server or connection has left of an earlier one
    await endScript(attempt.id, attempt.directory);
    const tree = await files.identifyContent(folder);
    const at = now();
    return change(attempt.id, check, async (tx, known) => {
      const [working] = await tx.listRunningExecutions({ attemptId: attempt.id });
      if (working !== undefined) {
        await saveEnd(tx, known, { ...check, state: "not-run", endedAt: at, reason: { code: "check-superseded" } });
        return undefined;
      }
      const begun: OfState<"running"> = { ...check, state: "running", startedAt: at, tree };
      await saveCheck(tx, known, begun, at);
      await showCard(tx, known, begun, { script, output: "" });
      return begun;
    });
  }

  const runScript = (
    project: Project,
    attempt: Attempt,
    { text, timeoutMs }: { text: string; timeoutMs: number },
  ): Promise<ScriptOutcome> =>
    files
      .runScript({
        script: text,
        directory: attempt.directory,
        environment: toScriptEnvironment(host, project),
        timeoutMs,
        marker: toMarker(attempt.id),
        keptCharacters,
        ...(attempt.sandbox === "workspace" ? { sandbox: { attemptId: attempt.id, hosts: [...input.readHosts(project.id)] } } : {}),
      })
      .catch((error: unknown) => {
        // the connection to its worker was lost
        logger.warn("a check was interrupted", { attemptId: attempt.id, error });
        const running = current.get(attempt.id);
        if (running !== undefined) running.cause ??= "interrupted";
        return ended;
      });

  async function finish(
    attempt: Attempt,
    begun: OfState<"running">,
    { outcome, script, state }: { outcome: ScriptOutcome; script: string; state: CheckEndState },
  ): Promise<void> {
    const treeAfter = await identify(attempt);
    const { stopRequested: _, ...check } = begun;
    const output = outcome.output.slice(-shownCharacters);
    const over = { ...check, state, endedAt: now(), exitCode: outcome.exitCode, treeAfter, output };
    await change(attempt.id, begun, async (tx, known) => {
      await saveEnd(tx, known, over);
      await showCard(tx, known, over, { script, output: outcome.output });
    });
  }

  async function identify(attempt: Attempt): Promise<string | null> {
    try {
      return await files.identifyContent(await getAttemptFolder(context, attempt));
    } catch (error) {
      logger.warn("the files after a check could not be read", { attemptId: attempt.id, error });
      return null;
    }
  }

  async function notRun(id: AttemptId, { executionId, requestedAt, id: checkId }: OpenCheck, reason: NoticeText): Promise<void> {
    const over = { id: checkId, executionId, requestedAt, state: "not-run" as const, endedAt: now(), reason };
    await change(id, over, (tx, known) => saveEnd(tx, known, over));
  }

  /** Calls `work` in a transaction if this is still the attempt's check, and open. */
  function change<T>(
    id: AttemptId,
    check: Pick<CheckRun, "id">,
    work: (tx: StorageTransaction, attempt: Attempt) => Promise<T>,
  ): Promise<T | undefined> {
    return storage.transaction(async (tx) => {
      const attempt = await tx.findAttempt({ id });
      const known = attempt?.check;
      if (attempt === undefined || known?.id !== check.id || (known.state !== "waiting" && known.state !== "running")) return undefined;
      return work(tx, attempt);
    });
  }

  async function saveEnd(tx: StorageTransaction, attempt: Attempt, check: CheckRun): Promise<void> {
    const at = now();
    await saveCheck(tx, attempt, check, at);
    if (attempt.raceId !== undefined) await reportRace(tx, attempt.id, at);
  }

  async function showCard(
    tx: StorageTransaction,
    { id: attemptId, taskId }: Attempt,
    check: Parameters<typeof toCheckCard>[0],
    shown: { script: string; output: string },
  ): Promise<void> {
    const { executionId } = check;
    if (executionId === null) return;
    const message = toCheckCard(check, { ...shown, executionId });
    await tx.putConversationMessages({ attemptId, executionId, messages: [message] });
    await tx.appendEvent({ type: "message:added", taskId, attemptId, message }, now());
  }

  /** What an earlier server was running: whether it passed is not known. */
  async function interrupt(attempt: Attempt, check: OfState<"running">): Promise<void> {
    void endScript(attempt.id, attempt.directory);
    const { stopRequested, ...begun } = check;
    const state = stopRequested === true ? ("stopped" as const) : ("interrupted" as const);
    const over = { ...begun, state, endedAt: now(), exitCode: null, treeAfter: null, output: "" };
    await change(attempt.id, check, async (tx, known) => {
      await saveEnd(tx, known, over);
      await showCard(tx, known, over, { script: await findShownScript(tx, attempt, check), output: "" });
    });
  }

  async function find(id: AttemptId): Promise<AttemptCheck> {
    const attempt = await getAttempt(id);
    const { check = null } = attempt;
    if (check === null || !("tree" in check)) return { check, isOutdated: check === null ? null : false };
    if (check.state === "running") return { check, isOutdated: false };
    const tree = await identify(attempt);
    return { check, isOutdated: tree === null ? null : tree !== check.tree && tree !== check.treeAfter };
  }

  async function getAttempt(id: AttemptId, reader: Pick<StorageTransaction, "findAttempt"> = storage.read): Promise<Attempt> {
    const attempt = await reader.findAttempt({ id });
    if (attempt === undefined) throw new ServiceError("not-found", { code: "attempt-not-found", id });
    return attempt;
  }

  return {
    find,
    async request(id) {
      const { check = null } = await storage.transaction(async (tx) => {
        const attempt = await getAttempt(id, tx);
        const [working] = await tx.listRunningExecutions({ attemptId: id });
        if (working !== undefined) throw new ServiceError("conflict", { code: "agent-working" });
        if (attempt.check?.state === "waiting" || attempt.check?.state === "running")
          throw new ServiceError("conflict", { code: "check-open" });
        return requestCheck(tx, attempt, now());
      });
      return { check, isOutdated: false };
    },
    async stop(id) {
      await storage.transaction(async (tx) => {
        const attempt = await getAttempt(id, tx);
        const { check } = attempt;
        const at = now();
        if (check?.state === "running") return saveCheck(tx, attempt, { ...check, stopRequested: true }, at);
        if (check?.state !== "waiting") throw new ServiceError("conflict", { code: "no-open-check" });
        return saveEnd(tx, attempt, { ...check, state: "not-run", endedAt: at, reason: { code: "check-stopped" } });
      });
      return find(id);
    },
    async recover() {
      for (const attempt of await storage.read.listOpenChecks()) {
        const { check } = attempt;
        if (current.has(attempt.id) || isElsewhere(storage, attempt)) continue;
        if (check?.state === "waiting") start(attempt, check);
        if (check?.state === "running") {
          await interrupt(attempt, check).catch((error: unknown) =>
            logger.error("the end of a check could not be saved", { attemptId: attempt.id, error }),
          );
        }
      }
    },
    async forget(id) {
      end(id, "stopped");
      await current.get(id)?.over;
    },
    async close() {
      isClosed = true;
      stopListening();
      for (const id of current.keys()) end(id, "interrupted");
      await Promise.all([...current.values()].map(({ over }) => over));
    },
  };
}

/** What a check that is ended without its script counts as. */
const ended: ScriptOutcome = { exitCode: null, timedOut: false, output: "" };

/** One at a time per attempt: so the next one finds what is left of the last. */
const toMarker = (id: AttemptId): string => `check-${id}`;

function toEndState({ exitCode, timedOut }: ScriptOutcome): CheckEndState {
  if (timedOut) return "timed-out";
  return exitCode === 0 ? "passed" : "failed";
}

/** The script as its card shows it. */
async function findShownScript(tx: StorageTransaction, { id: attemptId }: Attempt, { id }: CheckRun): Promise<string> {
  const messageId = `msg_${id.slice("chk_".length)}_check`;
  const { messages } = await tx.listConversationMessages({ attemptId, from: messageId, limit: 1 });
  const [message] = messages;
  const { input } = message?.messageType === "tool_execution" ? message.metadata : { input: null };
  return typeof input === "object" && input !== null && "command" in input ? String(input.command) : "";
}
