import {
  type Actor,
  type ConversationMessage,
  type ExecutionId,
  executionIdSchema,
  messageIdSchema,
  type NoticeText,
  type ParkedWait,
  type StartedTask,
  type StartTask,
} from "@skein/contracts";
import { formatText, ServiceError, type Storage, type StorageTransaction } from "@skein/engine";
import { z } from "zod";
import { fallbackJob, type ParkedJobs, resumeJob } from "../executions/continuations.ts";
import { continuationMessage } from "../executions/prepare-execution.ts";
import { setExecutionWait } from "../executions/set-execution-wait.ts";
import type { JobHandlers, RunningJob } from "../jobs/jobs.ts";
import type { Logger } from "../logger.ts";

const dataSchema = z.object({ executionId: executionIdSchema });
/** A database that cannot be written for a while must not keep an execution parked for good. */
const maxTries = 1000;

/** The jobs of parked executions (L3): each resumes, or continues elsewhere, once. */
export function createParkedJobHandlers(input: {
  storage: Storage;
  logger: Logger;
  now(): number;
  findAgentName(id: string): string;
  jobs: ParkedJobs;
  start(input: StartTask, by?: Actor): Promise<StartedTask>;
  stop(id: ExecutionId): void;
}): JobHandlers {
  const { storage, now } = input;

  async function findParked(reader: Pick<StorageTransaction, "findExecution">, id: ExecutionId) {
    const execution = await reader.findExecution({ id });
    if (execution?.status !== "running" || execution.wait?.for !== "provider") return undefined;
    return { execution, wait: execution.wait };
  }

  async function continueElsewhere({ data, complete }: RunningJob): Promise<void> {
    const { executionId: id } = dataSchema.parse(data);
    const parked = await findParked(storage.read, id);
    const fallback = parked?.wait.continuesWith;
    if (parked === undefined || fallback === undefined) return;
    const { execution, wait } = parked;
    const before = await storage.read.findAttempt({ id: execution.attemptId });
    if (before === undefined) return;
    const { agent, model } = fallback;
    // the same id at each try: a kill in between creates no second attempt
    const request: StartTask = {
      id: `fallback-${id}`,
      task: { id: execution.taskId },
      attempt: { agent, ...(model === null ? {} : { model }), continueFrom: before.id, permissionMode: before.permissionMode },
      message: continuationMessage,
    };
    const started = await input.start(request, execution.by).catch((error: unknown) => {
      if (error instanceof ServiceError) return error;
      throw error;
    });
    if (started instanceof ServiceError) {
      input.logger.warn("an execution could not continue with another agent", { executionId: id, agent, error: started });
      await complete(async (tx) => {
        const { continuesWith: _, ...alone } = wait;
        const kept = (await findParked(tx, id)) && (await setExecutionWait(tx, { id, wait: alone, at: now() }));
        if (kept !== undefined) await input.jobs.resumeAtItsTime(tx, kept);
      });
      return;
    }
    await complete((tx) => reportFallback(tx, { started, from: before.agent, parked: { id, ...wait } }));
    input.stop(id);
  }

  async function reportFallback(
    tx: StorageTransaction,
    { started, from, parked }: { started: StartedTask; from: string; parked: { id: ExecutionId } & Pick<ParkedWait, "limit"> },
  ): Promise<void> {
    const { attempt, executionId } = started;
    const { code: limit, resetsAt } = parked.limit;
    const names = { from: input.findAgentName(from), agent: input.findAgentName(attempt.agent) };
    const text: NoticeText = { code: "continued-elsewhere", ...names, limit, resetsAt };
    const message: ConversationMessage = {
      id: messageIdSchema.parse(`msg_${parked.id.slice("exe_".length)}_fallback`),
      role: "system",
      messageType: "notice",
      content: formatText(text),
      timestamp: now(),
      revision: 1,
      metadata: { executionId, code: "continued-elsewhere", text },
    };
    await tx.putConversationMessages({ attemptId: attempt.id, executionId, messages: [message] });
    await tx.appendEvent({ type: "message:added", taskId: attempt.taskId, attemptId: attempt.id, message }, message.timestamp);
  }

  return {
    [resumeJob]: {
      maxTries,
      run: ({ data, complete }) =>
        complete(async (tx) => {
          const { executionId: id } = dataSchema.parse(data);
          const parked = await findParked(tx, id);
          // it was resumed, stopped or changed in the meantime
          if (parked === undefined || !parked.wait.isAutomatic || parked.wait.continuesWith !== undefined) return;
          await setExecutionWait(tx, { id, wait: null, at: now() });
        }),
    },
    [fallbackJob]: { maxTries, run: continueElsewhere },
  };
}
