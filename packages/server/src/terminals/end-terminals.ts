import type { AttemptId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Host } from "@skein/host";
import type { EventHub } from "../events/event-hub.ts";
import type { Logger } from "../logger.ts";

/** Ends terminals of attempts that nobody works on: those of archived tasks. Returns a function that ends it. */
export function endTerminalsOfArchived({
  storage,
  host,
  hub,
  logger,
}: {
  storage: Pick<Storage, "read">;
  host: Host;
  hub: EventHub;
  logger: Logger;
}): () => void {
  async function endAll(attempts: readonly { id: AttemptId }[]): Promise<void> {
    for (const { id: attemptId } of attempts) {
      await host.terminals
        .end({ attemptId })
        .catch((error: unknown) => logger.warn("the terminals of an attempt could not be ended", { attemptId, error }));
    }
  }
  return hub.subscribe(({ seq, event }) => {
    if (seq === undefined || event.type !== "task:updated" || !event.task.archived) return;
    void storage.read
      .listAttempts({ taskId: event.taskId })
      .then(endAll)
      .catch((error: unknown) => logger.warn("the terminals of a task could not be ended", { taskId: event.taskId, error }));
  });
}

/** Ends what attempts that no longer exist have left on a host, and settles terminals whose process was killed. */
export async function tidyTerminals({ storage, host }: { storage: Pick<Storage, "read">; host: Host }): Promise<void> {
  for (const attemptId of await host.terminals.listAttempts()) {
    const attempt = await storage.read.findAttempt({ id: attemptId });
    // one that was moved to a worker has its terminals there
    if (attempt === undefined || attempt.hostId) await host.terminals.remove({ attemptId });
    else await host.terminals.list({ attemptId });
  }
}
