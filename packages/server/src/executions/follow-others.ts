import type { AttemptId, SkeinEvent } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { ExecutionSupervisor } from "./execution-supervisor.ts";

/**
 * Users may be connected to any server, agents belong to one: what another server has saved for an execution of this one (a message, an
 * answer, changed settings) is known by its event, and passed on. What this server has saved itself is passed on twice, without effect.
 */
export function followOthers({ storage, supervisor }: { storage: Storage; supervisor: ExecutionSupervisor }): void {
  async function steer(attemptId: AttemptId): Promise<void> {
    const [running] = await storage.read.listRunningExecutions({ attemptId });
    if (running === undefined || !supervisor.owns(running.id)) return;
    for (const queued of await storage.read.listQueuedMessages({ attemptId })) if (queued.steer) supervisor.steer(running.id, queued);
  }

  async function changeSettings(attemptId: AttemptId): Promise<void> {
    const attempt = await storage.read.findAttempt({ id: attemptId });
    if (attempt !== undefined) supervisor.changeSettings(attempt);
  }

  function apply(event: SkeinEvent): void {
    // a failed read is repeated when the runner connects again, or by the next `reconcile`
    if (event.type === "execution:started") supervisor.take(event.executionId);
    else if (event.type === "approval:resolved") supervisor.answer(event.approval);
    else if (event.type === "queue:changed") steer(event.attemptId).catch(() => {});
    else if (event.type === "task:attempt-updated") changeSettings(event.attemptId).catch(() => {});
  }

  storage.onCommitted((events) => {
    for (const { event } of events) apply(event);
  });
}
