import { sep } from "node:path";
import type { Attempt, AttemptId, ExecutionId, HostId } from "@skein/contracts";
import type { Storage } from "@skein/engine";

/** Finds the host of the attempt, execution or folder that a call names. Null: the server's own machine. */
export interface HostLocator {
  ofAttempt(id: AttemptId): Promise<HostId | null>;
  ofExecution(id: ExecutionId): Promise<HostId | null>;
  /** The host of the attempt whose folder contains a path. */
  ofPath(path: string): Promise<HostId | null>;
  /** Notes where an attempt is, before its row exists or after it was moved. */
  note(attempt: Pick<Attempt, "id" | "directory">, hostId: HostId | null): void;
  /** Notes the attempt of an execution, before its row exists. */
  forget(id: AttemptId): void;
}

/**
 * Looks in memory first, then in storage. Two attempts never have the same folder: its name contains the attempt's id, so a path belongs
 * to one host although machines may have the same folders.
 */
export async function createHostLocator({ storage }: { storage: Pick<Storage, "read"> }): Promise<HostLocator> {
  const attempts = new Map<AttemptId, { directory: string; hostId: HostId | null }>();
  const executions = new Map<ExecutionId, AttemptId>();
  for (const attempt of await storage.read.listRemoteAttempts()) {
    attempts.set(attempt.id, { directory: attempt.directory, hostId: attempt.hostId ?? null });
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
    note: ({ id, directory }, hostId) => void attempts.set(id, { directory, hostId }),
    forget: (id) => void attempts.delete(id),
  };
}
