import {
  type Actor,
  type AutomationRun,
  actorSchema,
  executionIdSchema,
  type JsonValue,
  type NodeId,
  problemTextSchema,
} from "@skein/contracts";
import {
  type AutomationId,
  ServiceError,
  type Storage,
  type StorageReader,
  type StorageTransaction,
  type StoredAutomation,
  type StoredAutomationRun,
} from "@skein/engine";
import { z } from "zod";
import type { JobHandler, Jobs } from "../jobs/jobs.ts";
import type { Logger } from "../logger.ts";
import { type AutomationEffects, type AutomationRequest, automationRequestSchema, carryOut } from "./automation-request.ts";

/** Runs that are kept of each automation. */
const keptRuns = 100;
/** A run whose machine cannot be reached for so many tries has failed. */
const patience = 8;
const maxTries = 1000;

const detailSchema = z.object({
  request: automationRequestSchema.nullable(),
  by: actorSchema.nullable(),
  executionId: executionIdSchema.nullable(),
  isManual: z.boolean(),
  reason: z.union([problemTextSchema, z.string()]).nullable(),
});
type Detail = z.infer<typeof detailSchema>;
const jobDataSchema = z.object({ automationId: z.string().transform((id) => id as AutomationId), key: z.string() });

export const runJob = "automation-run";

/** Jobs of a project are run by the server with its repository. */
export function toJobName(name: string, nodeId: NodeId | undefined): string {
  return nodeId === undefined ? name : `${name} ${nodeId}`;
}

export function readDetail({ detail }: StoredAutomationRun): Detail {
  return detailSchema.parse(detail);
}

export function toAutomationRun(run: StoredAutomationRun): AutomationRun {
  const { key, state, at, endedAt, taskId } = run;
  const { executionId, isManual, reason } = readDetail(run);
  return { key, state, at, endedAt, taskId, executionId, isManual, reason };
}

interface Decided {
  automation: StoredAutomation;
  key: string;
  at: number;
  isManual: boolean;
  by: Actor | undefined;
}

/** Stores a run that is to be carried out, with the job that does it: both, or neither. */
export async function openRun(
  tx: StorageTransaction,
  jobs: Pick<Jobs, "enqueue">,
  { automation, key, at, isManual, by, request, nodeId }: Decided & { request: AutomationRequest; nodeId: NodeId | undefined },
): Promise<void> {
  const detail = { request, by: by ?? null, executionId: null, isManual, reason: null } satisfies Detail;
  await putRun(tx, { automationId: automation.id, key, state: "open", at, endedAt: null, taskId: null, detail: toJson(detail) });
  await jobs.enqueue({ name: toJobName(runJob, nodeId), data: { automationId: automation.id, key } }, tx);
}

/** Stores a run of which nothing came. */
export async function closeRun(
  tx: StorageTransaction,
  { automation, key, at, isManual, by, state, reason }: Decided & { state: "skipped" | "failed"; reason: Detail["reason"] },
): Promise<void> {
  const detail = { request: null, by: by ?? null, executionId: null, isManual, reason } satisfies Detail;
  await putRun(tx, { automationId: automation.id, key, state, at, endedAt: at, taskId: null, detail: toJson(detail) });
}

/** Whether an earlier run has not begun yet, or its execution still runs. */
export async function isStillRunning(reader: StorageReader, automationId: AutomationId): Promise<boolean> {
  for (const run of await reader.listAutomationRuns({ automationId, limit: 10 })) {
    if (run.state === "open") return true;
    const { executionId } = readDetail(run);
    if (executionId !== null && (await reader.findExecution({ id: executionId }))?.status === "running") return true;
  }
  return false;
}

/** Carries out what was decided: at least once, with a request that takes effect once. */
export function createRunHandler(input: { storage: Storage; logger: Logger; now(): number; effects: AutomationEffects }): JobHandler {
  const { storage, now } = input;

  async function end(tx: StorageTransaction, run: StoredAutomationRun, changes: Partial<Detail> & Pick<StoredAutomationRun, "state">) {
    // it may have been deleted with its automation
    if ((await tx.findAutomation({ id: run.automationId })) === undefined) return;
    const { state, ...detail } = changes;
    await putRun(tx, { ...run, state, endedAt: now(), detail: toJson({ ...readDetail(run), ...detail }) });
  }

  return {
    maxTries,
    async run({ data, tries, complete }) {
      const run = await storage.read.findAutomationRun(jobDataSchema.parse(data));
      if (run?.state !== "open") return;
      const { request, by } = readDetail(run);
      if (request === null) return;
      try {
        const { taskId, executionId } = await carryOut(input.effects, request, by ?? undefined);
        await complete((tx) => end(tx, { ...run, taskId }, { state: "done", executionId }));
      } catch (error) {
        const isFinal = error instanceof ServiceError && error.kind !== "unavailable" && error.code !== "job-over";
        if (!isFinal && tries < patience) throw error;
        input.logger.warn("a run of an automation failed", { automationId: run.automationId, key: run.key, error });
        await complete((tx) => end(tx, run, { state: "failed", reason: toReason(error) }));
      }
    },
  };
}

/** Why it failed, as data where it is a text of our own. */
export function toReason(error: unknown): Detail["reason"] {
  const text = error instanceof ServiceError ? problemTextSchema.safeParse(error.text) : undefined;
  return text?.data ?? (error instanceof Error ? error.message : String(error)).slice(0, 2000);
}

async function putRun(tx: StorageTransaction, run: StoredAutomationRun): Promise<void> {
  await tx.putAutomationRun(run);
  await tx.trimAutomationRuns({ automationId: run.automationId, keep: keptRuns });
}

const toJson = (detail: Detail): JsonValue => JSON.parse(JSON.stringify(detail));
