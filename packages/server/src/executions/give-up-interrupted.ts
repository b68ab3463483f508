import type { ExecutionId } from "@skein/contracts";
import type { Executions } from "@skein/host";

const notStartedAgain =
  "This execution was not started: the database is an older copy, so that it may have run before. Send a message to continue.";

/** Settles it as interrupted, unless it was started: then it is followed like every other. */
export async function giveUpInterrupted(executions: Executions, id: ExecutionId): Promise<void> {
  await executions.giveUp({ id, exit: { exitCode: null, signal: null, endedAt: Date.now(), interrupted: notStartedAgain } });
}
