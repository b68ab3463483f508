import {
  type AgentExit,
  claimExecution,
  createExecutionFolder,
  type ExecutionFolder,
  isRunnerAlive,
  signalProcess,
  writeWhole,
} from "@skein/host";
import { readRunnerIdentity } from "./runner-files.ts";

/** Settles it as interrupted, unless it was started: then it is followed like every other. */
export function giveUpInterrupted(path: string): void {
  const folder = createExecutionFolder(path);
  if (!claimExecution(folder, `server ${process.pid}`)) return;
  const interrupted = { code: "not-started-again" } as const;
  writeWhole(folder.exit, { exitCode: null, signal: null, endedAt: Date.now(), interrupted } satisfies AgentExit);
}

/** Resolves when it is gone and writes nothing any more. Its agent is ended by whoever finds it without a runner. */
export async function killRunner(folder: ExecutionFolder): Promise<void> {
  const identity = await readRunnerIdentity(folder);
  for (let tries = 0; identity !== undefined && isRunnerAlive(identity) && tries < 100; tries++) {
    signalProcess(identity.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
