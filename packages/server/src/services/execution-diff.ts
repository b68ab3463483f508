import type { AttemptDiff, ExecutionId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import { getAttempt, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/** The changes of one execution: from the end of the previous one to its own. */
export function createExecutionDiff({ storage, supervisor, host }: ServiceContext): (id: ExecutionId) => Promise<AttemptDiff> {
  return async (id) => {
    const execution = (await storage.read.findExecution({ id })) ?? missing("execution", id);
    const attempt = await getAttempt(storage.read, execution.attemptId);
    const earlier = (await storage.read.listExecutions({ attemptId: execution.attemptId })).filter(
      ({ number }) => number < execution.number,
    );
    const before = earlier.map((one) => one.id);
    const isRunning = execution.status === "running";
    // a request right at the end must wait until the end is recorded
    if (!isRunning) await supervisor.waitUntilSettled(id);
    try {
      const folder = await getAttemptFolder({ storage }, attempt);
      return await host.workspaces.diffExecution({ attempt: folder, before, executionId: id, isRunning });
    } catch (cause) {
      throw new ServiceError("unavailable", { code: "diff-failed", directory: attempt.directory }, { cause });
    }
  };
}
