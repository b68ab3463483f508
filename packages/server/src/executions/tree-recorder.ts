import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type Attempt, type AttemptId, type EndedExecution, type ExecutionId, executionIdSchema } from "@skein/contracts";
import { createLanes } from "@skein/host";
import { getAttemptFolder } from "./attempt-folder.ts";
import type { HostedContext } from "./execution-context.ts";

/** What is written within this time after an agent's end still counts as its own; later it may be somebody else's. */
const graceMs = 3000;

/** Keeps what an attempt's folder held at the end of each execution, so that the changes of each can be shown. */
export interface TreeRecorder {
  /** Notes on disk that there is an end to record: if this server is killed first, the next one records it. */
  expect(executionId: ExecutionId): void;
  /** Begins to record what earlier servers had no time for; `whenDone` waits for it. */
  recover(): Promise<void>;
  /** Never rejects: an execution without its tree is shown with the changes of the next. */
  record(attempt: Attempt, executionId: ExecutionId): Promise<void>;
  /** The next agent of an attempt must not write before it is done. */
  whenDone(attemptId: AttemptId): Promise<void>;
  whenRecorded(executionId: ExecutionId): Promise<void>;
  close(): Promise<void>;
}

export function createTreeRecorder(input: {
  context: Pick<HostedContext, "storage" | "host" | "logger" | "now">;
  /** Where the notes are: one empty file for each execution. */
  folder: string;
  /** Whether the agent of an execution may have written already. */
  hasBegun(id: ExecutionId): Promise<boolean>;
}): TreeRecorder {
  const { context, folder } = input;
  const { storage, logger } = context;
  const { workspaces } = context.host;
  const recording = new Map<ExecutionId, { attemptId: AttemptId; done: Promise<void> }>();
  // Twenty agents may end at once: a hundred calls of git at the same time would take the processors from those who still work.
  const oneByOne = createLanes(1);

  const forget = (id: ExecutionId): Promise<void> => unlink(join(folder, id)).catch(() => {});

  async function recordNow(attempt: Attempt, executionId: ExecutionId): Promise<void> {
    const execution = await storage.read.findExecution({ id: executionId });
    const over = execution === undefined || execution.status === "running" ? context.now() : execution.endedAt + graceMs;
    const folder = await getAttemptFolder(context, attempt);
    await workspaces.recordExecution({ attempt: folder, executionId, ...(over < context.now() ? { endedAt: over } : {}) });
  }

  function record(attempt: Attempt, executionId: ExecutionId): Promise<void> {
    const done = oneByOne(() => recordNow(attempt, executionId))
      .catch((error: unknown) => logger.warn("what an execution changed could not be recorded", { executionId, error }))
      .then(() => forget(executionId))
      .finally(() => recording.delete(executionId));
    recording.set(executionId, { attemptId: attempt.id, done });
    return done;
  }

  /** Whether the folder still shows where it ended: an agent that came later has written over it. */
  async function isLast({ attemptId, number }: EndedExecution): Promise<boolean> {
    const executions = await storage.read.listExecutions({ attemptId });
    for (const later of executions) if (later.number > number && (await input.hasBegun(later.id))) return false;
    return true;
  }

  async function recoverOne(id: ExecutionId): Promise<void> {
    const execution = await storage.read.findExecution({ id });
    if (execution?.status === "running") return; // whoever follows it records its end
    const attempt = execution && (await isLast(execution)) ? await storage.read.findAttempt({ id: execution.attemptId }) : undefined;
    const isDone =
      attempt === undefined || (await workspaces.hasRecorded({ attempt: await getAttemptFolder(context, attempt), executionId: id }));
    if (isDone) await forget(id);
    else void record(attempt, id);
  }

  const whenAll = async (attemptId?: AttemptId): Promise<void> => {
    const wanted = [...recording.values()].filter((one) => attemptId === undefined || one.attemptId === attemptId);
    await Promise.all(wanted.map(({ done }) => done));
  };

  return {
    expect(executionId) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, executionId), "", { mode: 0o600 });
      } catch (error) {
        // only a server that is killed before the end would need it
        logger.warn("the end of an execution may not be recorded", { executionId, error });
      }
    },
    async recover() {
      for (const name of await readdir(folder).catch(() => [])) {
        const { data: id } = executionIdSchema.safeParse(name);
        if (id === undefined) continue;
        await recoverOne(id).catch((error: unknown) => logger.warn("the end of an execution could not be recorded", { name, error }));
      }
    },
    record,
    whenDone: whenAll,
    whenRecorded: async (executionId) => recording.get(executionId)?.done,
    close: () => whenAll(),
  };
}
