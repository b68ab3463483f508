import { type AttemptDiff, type ExecutionId, ServiceError } from "@skein/contracts";
import { diffExecutionTrees } from "@skein/host";
import { getAttempt, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/** What one execution changed: from the end of the one before it to its own. */
export function createExecutionDiff({ storage, supervisor, gitFolders }: ServiceContext): (id: ExecutionId) => Promise<AttemptDiff> {
  return async (id) => {
    const execution = (await storage.read.findExecution({ id })) ?? missing("execution", id);
    const attempt = await getAttempt(storage.read, execution.attemptId);
    const { directory, baseCommit } = attempt;
    const earlier = (await storage.read.listExecutions({ attemptId: execution.attemptId })).filter(
      ({ number }) => number < execution.number,
    );
    const before = earlier.map((one) => one.id);
    const isRunning = execution.status === "running";
    // whoever asks the moment it ends would be told that its end is not known
    if (!isRunning) await supervisor.waitUntilSettled(id);
    try {
      const folder = await gitFolders.ofAttempt(attempt);
      return await diffExecutionTrees({ folder, before, executionId: id, isRunning, baseCommit });
    } catch (cause) {
      const message = `The changes in ${directory} could not be read. Check that the folder is still there.`;
      throw new ServiceError("unavailable", "diff-failed", message, { cause });
    }
  };
}
