import { setTimeout as wait } from "node:timers/promises";
import type { Attempt, AttemptId, ExecutionId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Host } from "@skein/host";
import { toAttemptFolder } from "../executions/attempt-folder.ts";
import { getProjectOf } from "../executions/project-of.ts";
import type { Logger } from "../logger.ts";
import type { WorkCarrier } from "./carry-work.ts";
import type { HostDirectory } from "./host-directory.ts";
import type { HostLocator } from "./locate-host.ts";

/** The server that ended an execution records its files after it has announced the end. */
const retriesMs = [0, 2000, 5000, 15_000];

/**
 * Executions on workers can end under another server than the one with the project's repository: while that one was away, or restarted. It
 * then fetches their work by itself, as soon as it and the worker are connected.
 */
export function keepMirrors(input: {
  storage: Storage;
  local: Pick<Host, "transfers">;
  directory: HostDirectory;
  locator: HostLocator;
  carrier: WorkCarrier;
  /** Whether this server follows an execution: then it fetches the work when it records the end. */
  owns(id: ExecutionId): boolean;
  logger: Logger;
}): () => void {
  const { storage, directory, locator, logger } = input;
  const updating = new Map<AttemptId, Promise<void>>();
  let isClosed = false;

  /** Returns whether the mirror has the result of the last execution. */
  async function update(attempt: Attempt): Promise<boolean> {
    const executions = await storage.read.listExecutions({ attemptId: attempt.id });
    const last = executions.filter(({ status }) => status !== "running").at(-1);
    const project = await getProjectOf(storage.read, attempt);
    if (last === undefined || !attempt.hostId || !(await locator.hasRepository(project.id))) return true;
    const folder = toAttemptFolder(attempt, project);
    const isKnown = async () => (await input.local.transfers.readMirror(folder))?.recorded.some(({ name }) => name === last.id) ?? false;
    if (await isKnown()) return true;
    // tried again when it is connected
    if (directory.find(attempt.hostId)?.connection === undefined) return true;
    await input.carrier.mirror(folder, directory.get(attempt.hostId));
    return isKnown();
  }

  async function updateUntilKnown(id: AttemptId): Promise<void> {
    for (const delayMs of retriesMs) {
      await wait(delayMs, undefined, { ref: false });
      const attempt = await storage.read.findAttempt({ id });
      if (isClosed || attempt === undefined || (await update(attempt))) return;
    }
  }

  function start(id: AttemptId): void {
    if (isClosed || updating.has(id)) return;
    const done = updateUntilKnown(id)
      .catch((error: unknown) => logger.warn("the work of an attempt could not be fetched from its host", { attemptId: id, error }))
      .finally(() => updating.delete(id));
    updating.set(id, done);
  }

  async function updateAll(): Promise<void> {
    for (const attempt of await storage.read.listRemoteAttempts()) {
      const { hostId } = attempt;
      if (hostId && directory.find(hostId)?.connection !== undefined) start(attempt.id);
    }
  }

  const stopWatching = directory.onChange(() => {
    updateAll().catch((error: unknown) => logger.warn("the work of attempts could not be fetched", { error }));
  });
  storage.onCommitted((events) => {
    for (const { event } of events) {
      if (event.type === "execution:completed" && !input.owns(event.executionId)) start(event.attemptId);
    }
  });
  return () => {
    isClosed = true;
    stopWatching();
  };
}
