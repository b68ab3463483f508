import { sep } from "node:path";
import type { Attempt, AttemptId, ExecutionId, HostId, ProjectId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { isElsewhere } from "../is-elsewhere.ts";

/** Finds the host of the attempt, execution or folder that a call names. Null: the server's own machine. */
export interface HostLocator {
  ofAttempt(id: AttemptId): Promise<HostId | null>;
  ofExecution(id: ExecutionId): Promise<HostId | null>;
  /** The host of the attempt whose folder contains a path. */
  ofPath(path: string): Promise<HostId | null>;
  /** Whether the project's repository is on this machine. If several servers share the database, it may be on that of another one. */
  hasRepository(id: ProjectId): Promise<boolean>;
  /** Notes where an attempt is, before its row exists or after it was moved. */
  note(attempt: Pick<Attempt, "id" | "directory">, hostId: HostId | null): void;
  /** Notes the attempt of an execution, before its row exists. */
  forget(id: AttemptId): void;
}

/**
 * Looks in memory first, then in storage. Two attempts never have the same folder: its name contains the attempt's id, so a path belongs
 * to one host although machines may have the same folders.
 */
export async function createHostLocator({ storage }: { storage: Pick<Storage, "read" | "nodes" | "onCommitted"> }): Promise<HostLocator> {
  const attempts = new Map<AttemptId, { directory: string; hostId: HostId | null }>();
  const executions = new Map<ExecutionId, AttemptId>();
  for (const attempt of await storage.read.listRemoteAttempts()) {
    attempts.set(attempt.id, { directory: attempt.directory, hostId: attempt.hostId ?? null });
  }

  // other servers create and move attempts, too
  if (storage.nodes !== undefined) {
    storage.onCommitted((events) => {
      for (const { event } of events) {
        if (event.type === "task:attempt-created") note(event.attempt, event.attempt.hostId ?? null);
        else if (event.type === "task:attempt-updated" && event.updates.hostId !== undefined && event.updates.directory !== undefined) {
          note({ id: event.attemptId, directory: event.updates.directory }, event.updates.hostId);
        }
      }
    });
  }

  function note({ id, directory }: Pick<Attempt, "id" | "directory">, hostId: HostId | null): void {
    attempts.set(id, { directory, hostId });
  }

  async function ofAttempt(id: AttemptId): Promise<HostId | null> {
    const known = attempts.get(id);
    if (known !== undefined) return known.hostId;
    const attempt = await storage.read.findAttempt({ id });
    if (attempt === undefined) return null;
    attempts.set(id, { directory: attempt.directory, hostId: attempt.hostId ?? null });
    return attempt.hostId ?? null;
  }

  return {
    ofAttempt,
    async ofExecution(id) {
      const known = executions.get(id) ?? (await storage.read.findExecution({ id }))?.attemptId;
      if (known === undefined) return null;
      executions.set(id, known);
      return ofAttempt(known);
    },
    async ofPath(path) {
      for (const { directory, hostId } of attempts.values()) {
        if (hostId !== null && (path === directory || path.startsWith(directory + sep))) return hostId;
      }
      return null;
    },
    async hasRepository(id) {
      if (storage.nodes === undefined) return true;
      const project = await storage.read.findProject({ id });
      return project !== undefined && !isElsewhere(storage, project);
    },
    note,
    forget: (id) => void attempts.delete(id),
  };
}
