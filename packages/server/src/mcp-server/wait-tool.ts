import {
  type ApprovalId,
  approvalIdSchema,
  approvalSchema,
  attemptIdSchema,
  executionSchema,
  type SkeinEvent,
  taskIdSchema,
  taskSummarySchema,
} from "@skein/contracts";
import { z } from "zod";
import { readEvents } from "./read-events.ts";
import { toAttemptLinks, toResult } from "./tool-result.ts";
import { defineTool, reading, type SkeinTool, type ToolUse } from "./tools.ts";

const stateSchema = z.object({
  attemptId: attemptIdSchema,
  state: z.enum(["running", "needs-approval", "success", "failed", "cancelled", "interrupted", "not-started"]),
  reason: z.string().nullable().describe("Why it did not succeed"),
  approvals: z.array(approvalIdSchema).describe("Questions that wait for the user"),
  costUsd: z.number().nullable(),
});
type AttemptState = z.output<typeof stateSchema>;

/** Many clients end a call after a minute without a result. */
const defaultSeconds = 50;
const progressEveryMs = 1000;
/** Without other progress, the client is informed that the call is still waiting. */
const heartbeatMs = 10_000;
const reconnectMs = 500;

export const waitTool: SkeinTool = defineTool({
  name: "wait",
  scope: "read",
  title: "Wait for agents",
  description:
    "Waits until attempts have ended or need an approval of the user, and reports progress meanwhile. If `timedOut` is true, they are still running: call wait again, nothing is lost. Cancelling the call does not stop the agents.",
  input: z.object({
    attemptIds: z.array(attemptIdSchema).max(20).default([]),
    taskIds: z.array(taskIdSchema).max(20).default([]).describe("Instead, or in addition: the active attempts of these tasks"),
    until: z.enum(["all", "any"]).default("all").describe("Whether to wait for all of them, or for the first"),
    timeoutSeconds: z.int().min(1).max(3600).default(defaultSeconds),
  }),
  output: z.object({ timedOut: z.boolean(), attempts: z.array(stateSchema) }),
  annotations: reading,
  async run({ attemptIds, taskIds, until, timeoutSeconds }, use) {
    const ids = [...new Set([...attemptIds, ...(await findActive(taskIds, use))])];
    if (ids.length === 0)
      return { isError: true, content: [{ type: "text", text: "Give attemptIds, or taskIds of tasks with an attempt." }] };
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const states = await waitFor(ids, until, { ...use, timeout });
    const attempts = ids.flatMap((id) => states.get(id) ?? []);
    const timedOut = !isOver(attempts, until);
    return toResult({ timedOut, attempts }, { links: timedOut ? [] : ids.flatMap(toAttemptLinks) });
  },
});

async function findActive(taskIds: readonly string[], { api, signal }: ToolUse): Promise<AttemptState["attemptId"][]> {
  const tasks = await Promise.all(taskIds.map((id) => api.get(`/api/tasks/${id}`, taskSummarySchema, signal)));
  return tasks.flatMap(({ activeAttemptId }) => activeAttemptId ?? []);
}

function isOver(attempts: readonly AttemptState[], until: "all" | "any"): boolean {
  const ended = attempts.filter(({ state }) => state !== "running");
  return until === "all" ? ended.length === attempts.length : ended.length > 0;
}

async function waitFor(
  ids: readonly AttemptState["attemptId"][],
  until: "all" | "any",
  use: ToolUse & { timeout: AbortSignal },
): Promise<Map<string, AttemptState>> {
  const { signal, timeout } = use;
  const states = new Map<string, AttemptState>();
  const refresh = async (changed: readonly AttemptState["attemptId"][]) => {
    for (const id of changed) states.set(id, await readState(id, use));
    return isOver([...states.values()], until);
  };
  const either = AbortSignal.any([signal, timeout]);
  const progress = createProgress(use);
  try {
    while (!either.aborted) {
      // opened before the state is read: nothing that happens in between is missed
      const stream = await use.api.open("/api/events?repeats=short&mergeMode=on-complete", either);
      if (await refresh(ids)) return states;
      for await (const event of readEvents(stream, either)) {
        const id = "attemptId" in event ? ids.find((one) => one === event.attemptId) : undefined;
        if (id === undefined) continue;
        progress.note(event);
        if (changesState(event) && (await refresh([id]))) return states;
      }
      if (!either.aborted) await new Promise((resolve) => setTimeout(resolve, reconnectMs));
    }
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
  } finally {
    progress.end();
  }
  signal.throwIfAborted();
  await refresh(ids);
  return states;
}

function changesState({ type }: SkeinEvent): boolean {
  return type === "execution:completed" || type === "execution:started" || type === "approval:requested" || type === "approval:resolved";
}

async function readState(attemptId: AttemptState["attemptId"], { api, signal }: ToolUse): Promise<AttemptState> {
  const executions = await api.get(`/api/attempts/${attemptId}/executions`, z.array(executionSchema), signal);
  const last = executions.at(-1);
  const costs = executions.flatMap((one) => (one.status !== "running" && one.usage.costUsd !== undefined ? [one.usage.costUsd] : []));
  const costUsd = costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
  if (last === undefined) return { attemptId, state: "not-started", reason: null, approvals: [], costUsd };
  if (last.status !== "running") return { attemptId, state: last.status, reason: last.reason, approvals: [], costUsd };
  const pending = await api.get(`/api/approvals?status=pending&attemptId=${attemptId}`, z.array(approvalSchema), signal);
  const approvals: ApprovalId[] = pending.map(({ id }) => id);
  return { attemptId, state: approvals.length === 0 ? "running" : "needs-approval", reason: null, approvals, costUsd };
}

/** Reports what agents do, at most once a second, and that the call is still waiting. */
function createProgress({ report }: ToolUse): { note(event: SkeinEvent): void; end(): void } {
  let count = 0;
  let lastAt = 0;
  const send = (message: string) => {
    lastAt = Date.now();
    count += 1;
    void report({ progress: count, message });
  };
  const heartbeat = setInterval(() => send("Still working"), heartbeatMs);
  return {
    note(event) {
      if (event.type !== "message:added" || Date.now() - lastAt < progressEveryMs) return;
      const { messageType, content } = event.message;
      if (messageType === "tool_execution" || messageType === "text") send(content.split("\n")[0]?.slice(0, 200) ?? "");
    },
    end: () => clearInterval(heartbeat),
  };
}
