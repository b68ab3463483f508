import type { ExecutionId } from "@skein/contracts";
import type { Executions } from "@skein/host";

/** Settles it as interrupted unless it was started; then it is followed normally. */
export async function abandonInterrupted(executions: Executions, id: ExecutionId): Promise<void> {
  const interrupted = { code: "not-started-again" } as const;
  await executions.abandon({ id, exit: { exitCode: null, signal: null, endedAt: Date.now(), interrupted } });
}
