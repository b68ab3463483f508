import type {
  Approval,
  ApprovalId,
  Attempt,
  AttemptId,
  ConversationMessage,
  ConversationPage,
  Delivery,
  ExecutionId,
  QueuedMessage,
  QueuedMessageId,
  QueuePause,
  RunningExecution,
  SkeinEvent,
  TaskId,
} from "@skein/contracts";

export const taskId = "tsk_1" as TaskId;

export type Step =
  | { do: "create-attempt" | "start" | "complete" | "request-approval" | "resolve-approval" | "queue" | "other-task" | "sync" | "stale" }
  | { do: "activate" | "update-message" | "merge"; pick: number; live: boolean }
  | { do: "add-message"; live: boolean };

interface AttemptModel {
  attempt: Attempt;
  messages: ConversationMessage[];
  current: RunningExecution | undefined;
  queue: QueuedMessage[];
  queuePause: QueuePause | null;
  approvals: Approval[];
}

/** A model of the server for a client: executes steps, emits events, and returns its complete state at any moment. */
export class ServerModel {
  readonly deliveries: Delivery[] = [];
  #attempts: AttemptModel[] = [];
  #seq = 0;
  #serial = 0;

  page(attemptId?: AttemptId): ConversationPage {
    const shown = attemptId === undefined ? this.#active : this.#attempts.find((one) => one.attempt.id === attemptId);
    const base = { lastSeq: this.#seq, hasMore: false };
    if (shown === undefined)
      return {
        messages: [],
        isExecuting: false,
        canSendMessage: false,
        attemptId: null,
        queue: [],
        queuePause: null,
        approvals: [],
        ...base,
      };
    return {
      messages: [...shown.messages],
      isExecuting: shown.current !== undefined,
      ...(shown.current === undefined ? {} : { currentExecution: shown.current }),
      canSendMessage: shown.attempt.active,
      attemptId: shown.attempt.id,
      queue: shown.queue,
      queuePause: shown.queuePause,
      approvals: shown.approvals,
      ...base,
    };
  }

  /** A delivery as it would be replayed now. */
  again(delivery: Delivery): Delivery {
    const { event } = delivery;
    if (event.type !== "message:added") return delivery;
    const owner = this.#attempts.find((one) => one.attempt.id === event.attemptId);
    const message = owner?.messages.find((one) => one.id === event.message.id) ?? event.message;
    return { ...delivery, event: { ...event, message } };
  }

  do(step: Step): void {
    const serial = ++this.#serial;
    const active = this.#active;
    if (step.do === "create-attempt") {
      this.#createAttempt(serial);
      return;
    }
    if (step.do === "other-task") {
      this.#emit({ type: "task:deleted", taskId: "tsk_2" as TaskId, projectId: "prj_1" as never });
      return;
    }
    if (active === undefined) return;
    const { attempt } = active;
    const origin = { taskId, attemptId: attempt.id };
    switch (step.do) {
      case "activate":
        this.#activate(this.#attempts[step.pick % this.#attempts.length] ?? active);
        return;
      case "start": {
        if (active.current !== undefined) return;
        const executionId = `exe_${serial}` as ExecutionId;
        active.current = { id: executionId, ...origin, number: 1, startedAt: serial, status: "running" };
        this.#emit({ type: "execution:started", ...origin, executionId, execution: active.current });
        return;
      }
      case "complete": {
        if (active.current === undefined) return;
        const { id: executionId, ...rest } = active.current;
        active.current = undefined;
        const execution = {
          ...rest,
          id: executionId,
          status: "success" as const,
          endedAt: serial,
          durationMs: 0,
          exitCode: 0,
          reason: null,
          code: null,
          usage: {},
        };
        this.#emit({ type: "execution:completed", ...origin, executionId, status: "success", execution });
        return;
      }
      case "queue":
        active.queue = [
          { id: `que_${serial}` as QueuedMessageId, ...origin, message: "next", images: [], steer: false, createdAt: serial },
          ...active.queue.slice(0, 1),
        ];
        active.queuePause = serial % 2 === 0 ? { reason: "stopped", pausedAt: serial } : null;
        this.#emit({ type: "queue:changed", ...origin, queue: active.queue, queuePause: active.queuePause });
        return;
      case "request-approval": {
        const approval: Approval = {
          id: `apr_${serial}` as ApprovalId,
          ...origin,
          executionId: "exe_1" as ExecutionId,
          toolUseId: "t",
          toolName: "bash",
          input: null,
          reason: null,
          requestedAt: serial,
          status: "pending",
        };
        active.approvals = [...active.approvals, approval];
        this.#emit({ type: "approval:requested", ...origin, approval });
        return;
      }
      case "resolve-approval": {
        const [first, ...others] = active.approvals;
        if (first === undefined) return;
        active.approvals = others;
        this.#emit({ type: "approval:resolved", ...origin, approval: { ...first, status: "expired", resolvedAt: serial } });
        return;
      }
      case "sync": {
        const { lastSeq: _, hasMore: __, ...state } = this.page();
        this.#emit({ type: "state:conversation-sync", taskId, state });
        return;
      }
      case "stale":
        this.#emit({ type: "state:conversation-sync", taskId });
        return;
      case "add-message":
        this.#put(active, textMessage(`m${serial}`, serial, 1), step.live);
        return;
      case "update-message": {
        const message = active.messages[step.pick % Math.max(1, active.messages.length)];
        if (message === undefined) return;
        this.#put(active, { ...message, content: `${message.content}+`, revision: message.revision + 1 }, step.live);
        return;
      }
      case "merge": {
        const results = active.messages.filter((one) => one.messageType === "text");
        const message = results[step.pick % Math.max(1, results.length)];
        if (message === undefined) return;
        this.#put(active, cardMessage(`card${serial}`, serial, [message.id]), step.live);
        return;
      }
    }
  }

  get #active(): AttemptModel | undefined {
    return this.#attempts.find((one) => one.attempt.active);
  }

  #createAttempt(serial: number): void {
    for (const one of this.#attempts) one.attempt = { ...one.attempt, active: false };
    const attempt = { id: `att_${serial}` as AttemptId, taskId, active: true } as Attempt;
    this.#attempts.push({ attempt, messages: [], current: undefined, queue: [], queuePause: null, approvals: [] });
    this.#emit({ type: "task:attempt-created", taskId, attempt });
  }

  #activate(next: AttemptModel): void {
    for (const one of this.#attempts) {
      if (one.attempt.active === (one === next)) continue;
      one.attempt = { ...one.attempt, active: one === next };
      this.#emit({ type: "task:attempt-updated", taskId, attemptId: one.attempt.id, updates: { active: one.attempt.active } });
    }
  }

  #put(owner: AttemptModel, message: ConversationMessage, live: boolean): void {
    const gone = message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [];
    const place = owner.messages.findIndex((one) => one.id === message.id || gone.includes(one.id));
    if (place < 0) owner.messages.push(message);
    else owner.messages[place] = message;
    owner.messages = owner.messages.filter((one) => !gone.includes(one.id));
    this.#emit({ type: "message:added", taskId, attemptId: owner.attempt.id, message }, live);
  }

  #emit(event: SkeinEvent, live = false): void {
    this.deliveries.push(live ? { event } : { seq: ++this.#seq, event });
  }
}

export function textMessage(id: string, timestamp: number, revision: number): ConversationMessage {
  return { id, role: "assistant", messageType: "text", content: id, timestamp, revision };
}

export function cardMessage(id: string, timestamp: number, replaces: string[]): ConversationMessage {
  return {
    id,
    role: "assistant",
    messageType: "tool_execution",
    content: id,
    timestamp,
    revision: 1,
    metadata: { toolName: "x", toolUseId: "t", input: null, output: "", summary: id, replaces, state: "running", isError: false },
  };
}
