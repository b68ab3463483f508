import type { Attempt, AttemptId, EndedExecution, ExecutionId } from "@skein/contracts";
import { createConcurrencyLimit } from "@skein/engine";
import type { UnrecordedEnds } from "../data-dir/unrecorded-ends.ts";
import { getAttemptFolder } from "./attempt-folder.ts";
import type { HostedContext } from "./execution-context.ts";
import { isWaitingForHost } from "./waiting-for-host.ts";

/** Changes within this time after an agent's end are attributed to it; later ones may not be its own. */
const graceMs = 3000;

/** Records the content of an attempt's folder at the start and at the end of each execution, so that its changes can be shown. */
export interface TreeRecorder {
  /** Marks on disk that an end has to be recorded: if this server is killed, the next one does it. */
  expect(executionId: ExecutionId): void;
  /** Starts to record what earlier servers did not finish; `whenDone` waits for it. */
  recover(): Promise<void>;
  /** Before the agent starts. Never rejects: without it, what changed since the previous end counts as the agent's. */
  recordStart(attempt: Attempt, executionId: ExecutionId): Promise<void>;
  /** Never rejects: the changes of an unrecorded execution are shown with those of the next one. */
  record(attempt: Attempt, executionId: ExecutionId): Promise<void>;
  /** Resolves when the attempt's next agent may write. */
  whenDone(attemptId: AttemptId): Promise<void>;
  whenRecorded(executionId: ExecutionId): Promise<void>;
  close(): Promise<void>;
}

export function createTreeRecorder(input: {
  context: Pick<HostedContext, "storage" | "host" | "logger" | "now">;
  unrecorded: UnrecordedEnds;
  /** Whether the agent of an execution may already have written files. */
  hasBegun(id: ExecutionId): Promise<boolean>;
  /** Called after an end was recorded; the attempt's next agent waits for it. Must not reject. */
  afterEnd?(attempt: Attempt, executionId: ExecutionId): Promise<void>;
}): TreeRecorder {
  const { context, unrecorded } = input;
  const { storage, logger } = context;
  const { workspaces } = context.host;
  const recording = new Map<ExecutionId, { attemptId: AttemptId; done: Promise<void> }>();
  // Twenty agents may end at once: a hundred concurrent git processes would slow down those that still run.
  const oneByOne = createConcurrencyLimit(1);

  async function recordNow(attempt: Attempt, executionId: ExecutionId): Promise<void> {
    const execution = await storage.read.findExecution({ id: executionId });
    const over = execution === undefined || execution.status === "running" ? context.now() : execution.endedAt + graceMs;
    const folder = await getAttemptFolder(context, attempt);
    await workspaces.recordExecution({ attempt: folder, executionId, ...(over < context.now() ? { endedAt: over } : {}) });
  }

  function record(attempt: Attempt, executionId: ExecutionId): Promise<void> {
    const done = oneByOne(() => recordNow(attempt, executionId))
      .then(
        () => unrecorded.remove(executionId),
        (error: unknown) => {
          logger.warn("what an execution changed could not be recorded", { executionId, error });
          // recorded once the host is connected again
          return isWaitingForHost(error) ? undefined : unrecorded.remove(executionId);
        },
      )
      .then(() => input.afterEnd?.(attempt, executionId))
      .finally(() => recording.delete(executionId));
    recording.set(executionId, { attemptId: attempt.id, done });
    return done;
  }

  /** Not in the lane: the agent is waiting for it. */
  async function recordStart(attempt: Attempt, executionId: ExecutionId): Promise<void> {
    try {
      const ids = await storage.read.listExecutionIds({ attemptId: attempt.id });
      const previous = ids[ids.indexOf(executionId) - 1];
      await workspaces.recordExecutionStart({ attempt: await getAttemptFolder(context, attempt), executionId, previous });
    } catch (error) {
      logger.warn("the files before an execution could not be recorded", { executionId, error });
    }
  }

  /** Whether the folder still has its result: a later agent may have changed it. */
  async function isLast({ attemptId, number }: EndedExecution): Promise<boolean> {
    const executions = await storage.read.listExecutions({ attemptId });
    for (const later of executions) if (later.number > number && (await input.hasBegun(later.id))) return false;
    return true;
  }

  async function recoverOne(id: ExecutionId): Promise<void> {
    const execution = await storage.read.findExecution({ id });
    if (execution?.status === "running") return; // its owner records its end
    const attempt = execution && (await isLast(execution)) ? await storage.read.findAttempt({ id: execution.attemptId }) : undefined;
    const isDone =
      attempt === undefined || (await workspaces.hasRecorded({ attempt: await getAttemptFolder(context, attempt), executionId: id }));
    if (isDone) await unrecorded.remove(id);
    else void record(attempt, id);
  }

  const whenAll = async (attemptId?: AttemptId): Promise<void> => {
    const wanted = [...recording.values()].filter((one) => attemptId === undefined || one.attemptId === attemptId);
    await Promise.all(wanted.map(({ done }) => done));
  };

  return {
    expect(executionId) {
      try {
        unrecorded.add(executionId);
      } catch (error) {
        // needed only if the server is killed before the end
        logger.warn("the end of an execution may not be recorded", { executionId, error });
      }
    },
    async recover() {
      for (const id of await unrecorded.list()) {
        await recoverOne(id).catch((error: unknown) =>
          logger.warn("the end of an execution could not be recorded", { executionId: id, error }),
        );
      }
    },
    recordStart,
    record,
    whenDone: whenAll,
    whenRecorded: async (executionId) => recording.get(executionId)?.done,
    close: () => whenAll(),
  };
}
