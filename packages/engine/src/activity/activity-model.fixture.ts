import type {
  Approval,
  ApprovalId,
  Attempt,
  AttemptId,
  Delivery,
  EndedExecution,
  ExecutionId,
  OpenAttempt,
  PullRequestBadge,
  QueuedMessage,
  SkeinEvent,
  TaskActivity,
  TaskId,
  ToolExecutionMessage,
} from "@skein/contracts";
import { createOpenAttempt, toTaskActivity } from "./task-activity.ts";

const taskId = "tsk_1" as TaskId;

export type ActivityStep = {
  do: "create" | "activate" | "start" | "wait" | "complete" | "tool" | "tool-end" | "ask" | "answer" | "queue" | "pull-request";
  pick: number;
};

/** A model of the server for a list of tasks: executes steps, emits events, and returns its complete state at any moment. */
export class ActivityModel {
  readonly deliveries: Delivery[] = [];
  #seq = 0;
  #serial = 0;
  #attempts: { attempt: Attempt; open: OpenAttempt }[] = [];
  #ended: EndedExecution[] = [];
  #pullRequests = new Map<AttemptId, PullRequestBadge>();

  load(): TaskActivity {
    const active = this.#attempts.find(({ attempt }) => attempt.active)?.attempt;
    const last = this.#ended.toSorted((a, b) => a.endedAt - b.endedAt || (a.id < b.id ? -1 : 1)).at(-1);
    const reported = this.#ended.flatMap(({ usage }) => usage.outputTokens ?? []);
    return toTaskActivity({
      seq: this.#seq,
      active: active === undefined ? null : { attemptId: active.id, agent: active.agent },
      attempts: this.#attempts.length,
      open: this.#attempts.map(({ open }) => open),
      pullRequests: [...this.#pullRequests.values()],
      checks: [],
      lastEnd: last === undefined ? null : { executionId: last.id, status: last.status, endedAt: last.endedAt },
      totals: {
        executions: this.#ended.length,
        durationMs: this.#ended.reduce((sum, { durationMs }) => sum + durationMs, 0),
        usage: reported.length === 0 ? {} : { outputTokens: reported.reduce((sum, tokens) => sum + tokens, 0) },
      },
    });
  }

  do({ do: what, pick }: ActivityStep): void {
    const serial = ++this.#serial;
    if (what === "create") {
      this.#create(serial);
      return;
    }
    const one = this.#attempts[pick % Math.max(1, this.#attempts.length)];
    if (one === undefined) return;
    const { open } = one;
    const origin = { taskId, attemptId: open.attemptId };
    switch (what) {
      case "activate": {
        for (const other of this.#attempts) other.attempt = { ...other.attempt, active: other === one };
        this.#emit({ type: "task:attempt-updated", ...origin, updates: { active: true, agent: one.attempt.agent } });
        return;
      }
      case "start": {
        if (open.executionId !== null) return;
        const executionId = `exe_${serial}` as ExecutionId;
        one.open = { ...open, executionId, startedAt: serial };
        const execution = { id: executionId, ...origin, number: serial, startedAt: serial, status: "running" } as const;
        this.#emit({ type: "execution:started", ...origin, executionId, execution });
        return;
      }
      case "wait": {
        if (open.executionId === null) return;
        const { wait: _, ...unwaiting } = open;
        const wait = pick % 3 === 0 ? {} : { wait: { for: "limit", since: serial, position: pick } as const };
        one.open = { ...unwaiting, ...wait };
        const running = { ...origin, number: serial, startedAt: open.startedAt ?? 0, status: "running" } as const;
        const execution = { id: open.executionId, ...running, ...wait };
        this.#emit({ type: "execution:changed", ...origin, executionId: open.executionId, execution });
        return;
      }
      case "complete": {
        if (open.executionId === null) return;
        const usage = pick % 2 === 0 ? { outputTokens: pick } : {};
        const ended = {
          id: open.executionId,
          ...origin,
          number: 1,
          startedAt: 1,
          status: "failed",
          exitCode: 1,
          reason: "x",
          code: null,
          usage,
        } as const;
        const execution: EndedExecution = { ...ended, endedAt: 100 + (pick % 7), durationMs: pick };
        this.#ended.push(execution);
        const { wait: _, ...unwaiting } = open;
        one.open = { ...unwaiting, executionId: null, startedAt: null, tools: [] };
        this.#emit({ type: "execution:completed", ...origin, executionId: execution.id, status: "failed", execution });
        return;
      }
      case "tool":
      case "tool-end":
        this.#runTool(one, serial, what === "tool-end" ? open.tools[pick % Math.max(1, open.tools.length)]?.messageId : undefined, pick);
        return;
      case "ask": {
        const id = `apr_${serial}` as ApprovalId;
        one.open = { ...open, approvals: [...open.approvals, id] };
        this.#emit({ type: "approval:requested", ...origin, approval: toApproval(id, origin, "pending") });
        return;
      }
      case "answer": {
        const [id, ...others] = open.approvals;
        if (id === undefined) return;
        one.open = { ...open, approvals: others };
        this.#emit({ type: "approval:resolved", ...origin, approval: toApproval(id, origin, "expired") });
        return;
      }
      case "queue":
        this.#changeQueue(one, pick);
        return;
      case "pull-request": {
        const checks = (["pending", "success", "failure"] as const)[pick % 3] ?? null;
        const pullRequest: PullRequestBadge = {
          ...{ attemptId: open.attemptId, forge: "github", number: 1, url: "https://github.com/a/b/pull/1" },
          ...{ state: "open", checks, review: null },
        };
        this.#pullRequests.set(open.attemptId, pullRequest);
        this.#emit({ type: "pull-request:changed", ...origin, pullRequest });
        return;
      }
    }
  }

  #changeQueue(one: { open: OpenAttempt }, pick: number): void {
    const queue = Array.from({ length: pick % 3 }, () => ({}) as QueuedMessage);
    const queuePause = queue.length > 0 && pick % 2 === 0 ? ({ reason: "stopped", pausedAt: 1 } as const) : null;
    one.open = { ...one.open, queued: queue.length, queuePaused: queuePause !== null };
    this.#emit({ type: "queue:changed", taskId, attemptId: one.open.attemptId, queue, queuePause });
  }

  #create(serial: number): void {
    for (const other of this.#attempts) other.attempt = { ...other.attempt, active: false };
    const attempt = { id: `att_${serial}` as AttemptId, taskId, agent: `acp:${serial}`, active: true } as Attempt;
    this.#attempts.push({ attempt, open: createOpenAttempt(attempt.id) });
    this.#emit({ type: "task:attempt-created", taskId, attempt });
  }

  #runTool(one: { open: OpenAttempt }, serial: number, ended: string | undefined, pick: number): void {
    const { attemptId, executionId, tools } = one.open;
    if (executionId === null) return;
    const messageId = ended ?? (pick % 3 === 0 ? tools.at(-1)?.messageId : undefined) ?? `msg_${serial}-merged`;
    const summary = { action: "run", subject: String(serial), state: ended === undefined ? "running" : "completed" } as const;
    const entry = { messageId, content: `Running ${serial}`, summary };
    const known = tools.some((tool) => tool.messageId === messageId);
    const left = tools.flatMap((tool) => (tool.messageId !== messageId ? [tool] : ended === undefined ? [entry] : []));
    one.open = { ...one.open, tools: known ? left : [...tools, entry] };
    const common = { executionId, toolName: "bash", toolUseId: "t", input: null, output: "", summary };
    const metadata: ToolExecutionMessage["metadata"] =
      ended === undefined
        ? { ...common, state: "running", isError: false }
        : { ...common, state: "completed", isError: false, durationMs: 1 };
    const message: ToolExecutionMessage = {
      id: messageId,
      role: "assistant",
      messageType: "tool_execution",
      content: entry.content,
      timestamp: serial,
      revision: serial,
      metadata,
    };
    this.#emit({ type: "message:added", taskId, attemptId, message }, pick % 2 === 0);
  }

  #emit(event: SkeinEvent, live = false): void {
    this.deliveries.push(live ? { event } : { seq: ++this.#seq, event });
  }
}

function toApproval(id: ApprovalId, origin: { taskId: TaskId; attemptId: AttemptId }, status: "pending" | "expired"): Approval {
  const asked = { id, ...origin, executionId: "exe_1" as ExecutionId, toolUseId: id, toolName: "bash", input: null, reason: null };
  return status === "pending" ? { ...asked, requestedAt: 1, status } : { ...asked, requestedAt: 1, status, resolvedAt: 2 };
}
