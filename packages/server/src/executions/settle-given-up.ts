import type { Attempt, RunningExecution } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import type { ExecutionFiles } from "@skein/host";
import type { ExecutionContext } from "./execution-context.ts";
import { createExecutionFollower } from "./execution-follower.ts";

/** The files of an execution whose machine is gone. */
const noFiles: ExecutionFiles = {
  readLog: async ({ from }) => ({ lines: [], next: from, isBehind: false }),
  closeLog: async () => {},
  logSize: async () => 0,
  readErrors: async () => "",
};

/**
 * Ends an execution whose agent ran on the machine of a server that was given up. What was committed is kept: open tools are closed, and
 * the execution is interrupted. It is never started again.
 */
export async function settleGivenUp(input: {
  context: ExecutionContext;
  execution: RunningExecution;
  attempt: Attempt;
  adapter: AgentAdapter;
}): Promise<void> {
  const { context, execution } = input;
  const position = await context.storage.read.getIngestPosition({ executionId: execution.id });
  const { host: _, ...withoutHost } = context;
  const follower = await createExecutionFollower({ ...input, context: withoutHost, files: noFiles, position });
  try {
    const interrupted = { code: "node-given-up" } as const;
    await follower.finish({ exitCode: null, signal: null, endedAt: context.now(), interrupted });
  } finally {
    await follower.close();
  }
}
