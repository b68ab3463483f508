import type { Attempt, AttemptId, AttemptSummary, TaskId } from "@skein/contracts";
import { noTotals, ServiceError, type StorageReader } from "@skein/engine";
import type { AttemptFolder } from "@skein/host";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import { clearInbox } from "../executions/inbox-items.ts";
import { checkAgent } from "./check-agent.ts";
import type { AttemptCreation } from "./create-attempt.ts";
import { createHistoryService } from "./history.ts";
import { getAttempt, getTask, missing } from "./lookup.ts";
import { createNextRequestService } from "./next-request.ts";
import { readAttemptMessages } from "./read-attempt-messages.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { refusePlanMode } from "./refuse-plan-mode.ts";
import type { RemoveAttempts } from "./remove-attempts.ts";
import type { ServiceContext } from "./service-context.ts";
import { StreamedJson, writeJsonArray } from "./streamed-json.ts";
import type { AttemptService } from "./task-services.ts";

function pickShown({ raceId, check }: Attempt): Pick<Attempt, "raceId" | "check"> {
  return { ...(raceId === undefined ? {} : { raceId }), ...(check === undefined ? {} : { check }) };
}

const nothingEnded = { totals: noTotals, lastEnd: null };

/** Accepts only modes that the agent offered: others might not ask for approvals. */
function toOffered({ sessionOptions }: Attempt, mode: string | null): string | null {
  if (mode === null || sessionOptions?.modes.some(({ id }) => id === mode) === true) return mode;
  throw new ServiceError("invalid", { code: "unknown-agent-mode", mode });
}

/** The attempts of a task, with what each has cost and how it ended. */
export async function listAttemptSummaries(reader: StorageReader, taskId: TaskId): Promise<AttemptSummary[]> {
  const totals = await reader.listAttemptTotals({ taskId });
  return (await reader.listAttempts({ taskId })).map((attempt) => ({ ...attempt, ...(totals.get(attempt.id) ?? nothingEnded) }));
}

/** Reads, changes and deletes attempts, and reads their messages, history and changes. */
export function createAttemptService(
  context: ServiceContext,
  { create, removeAttempts }: { create: AttemptCreation["create"]; removeAttempts: RemoveAttempts },
): AttemptService {
  const { storage, supervisor, now } = context;
  const { workspaces } = context.host;

  async function readChanges<T>(id: AttemptId, read: (folder: AttemptFolder) => Promise<T>): Promise<T> {
    const attempt = await getAttempt(storage.read, id);
    try {
      return await read(await getAttemptFolder(context, attempt));
    } catch (cause) {
      throw new ServiceError("unavailable", { code: "diff-failed", directory: attempt.directory }, { cause });
    }
  }

  async function stopAll(id: AttemptId): Promise<void> {
    for (const { id: executionId } of await storage.read.listRunningExecutions({ attemptId: id })) supervisor.stop(executionId);
    await context.checks.stop(id).catch((error: unknown) => {
      if (!(error instanceof ServiceError && error.code === "no-open-check")) throw error;
    });
  }

  const diff = (id: AttemptId) => readChanges(id, workspaces.diff);
  const readFile = async (id: AttemptId, file: { path: string; blob: string }) =>
    workspaces.readFile({ attempt: await getAttemptFolder(context, await getAttempt(storage.read, id)), ...file });
  // most servers never export anything
  const loadExports = async () => (await import("./export-attempt.ts")).createExportService(context, diff, readFile);

  return {
    async list(taskId) {
      await getTask(storage.read, taskId);
      return listAttemptSummaries(storage.read, taskId);
    },
    async get(id) {
      const attempt = await getAttempt(storage.read, id);
      const totals = await storage.read.listAttemptTotals({ taskId: attempt.taskId });
      return { ...attempt, ...(totals.get(id) ?? nothingEnded) };
    },

    create,

    async update(id, changes) {
      const at = now();
      const { agent, directory } = await getAttempt(storage.read, id);
      if (changes.model !== undefined) await checkAgent(context, { agent, model: changes.model }, { directory, mustStart: false });
      const changed = await storage.transaction(async (tx) => {
        const before = await getAttempt(tx, id);
        if (changes.archived === true && before.active) throw new ServiceError("conflict", { code: "attempt-active" });
        if (changes.permissionMode !== undefined) refusePlanMode(context, { ...before, permissionMode: changes.permissionMode });
        const updates = {
          model: changes.model ?? before.model,
          permissionMode: changes.permissionMode ?? before.permissionMode,
          agentMode: changes.agentMode === undefined ? (before.agentMode ?? null) : toOffered(before, changes.agentMode),
          systemPrompt: changes.systemPrompt ?? before.systemPrompt,
          ...(changes.agentAccess === undefined ? {} : { agentAccess: changes.agentAccess }),
          ...(changes.sandbox === undefined ? {} : { sandbox: changes.sandbox }),
          // lists of clients show them again
          ...(changes.archived === false ? pickShown(before) : {}),
          ...(changes.archived === undefined ? {} : { archived: changes.archived }),
          updatedAt: at,
        };
        const attempt: Attempt = { ...before, ...updates };
        await tx.updateAttempt(attempt);
        if (changes.archived === true) await clearInbox(tx, { attemptId: id }, at);
        await tx.appendEvent({ type: "task:attempt-updated", taskId: attempt.taskId, attemptId: id, updates }, at);
        return attempt;
      });
      supervisor.changeSettings(changed);
      if (changes.archived === true) await stopAll(id);
      return changed;
    },

    async activate(id) {
      const at = now();
      return storage.transaction(async (tx) => {
        const { taskId, agent } = await getAttempt(tx, id);
        await tx.activateAttempt({ id, at });
        const updates = { active: true, agent, updatedAt: at };
        await tx.appendEvent({ type: "task:attempt-updated", taskId, attemptId: id, updates }, at);
        return getAttempt(tx, id);
      });
    },

    async move(id, { host }) {
      const attempt = await getAttempt(storage.read, id);
      return context.moveAttempt(attempt, host === null ? null : await context.workers.choose(host, attempt.agent));
    },

    async undoCompression(id) {
      await storage.transaction(async (tx) => {
        await getAttempt(tx, id);
        if (await tx.undoCompression({ attemptId: id })) return;
        throw new ServiceError("conflict", { code: "nothing-to-undo" });
      });
    },

    async remove(id, options) {
      return removeAttempts([await getAttempt(storage.read, id)], options);
    },

    diff,
    diffStat: (id, { uncommitted }) => readChanges(id, (attempt) => workspaces.diffStat({ attempt, uncommitted })),

    async messages(id, { after, limit }) {
      await getAttempt(storage.read, id);
      const last = after && (await storage.read.findMessage({ id: after }));
      if (after !== undefined && last?.attemptId !== id) return missing("message", after);
      const slices = readSnapshot(storage, (reader) => readAttemptMessages(reader, { attemptId: id, after, limit }));
      return new StreamedJson(writeJsonArray(slices));
    },
    async executions(id) {
      await getAttempt(storage.read, id);
      return storage.read.listExecutions({ attemptId: id });
    },
    ...createHistoryService(context),
    nextRequest: createNextRequestService(context),
    export: async (id, request) => (await loadExports()).export(id, request),
    previewRedaction: async (id, request) => (await loadExports()).previewRedaction(id, request),
  };
}
