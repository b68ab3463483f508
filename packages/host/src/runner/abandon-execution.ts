import { type AgentExit, claimExecution, createExecutionFolder, type ExecutionFolder, writeWhole } from "./execution-folder.ts";
import { signalProcess } from "./process-tree.ts";
import { isRunnerAlive } from "./runner-connection.ts";
import { readRunnerIdentity } from "./runner-files.ts";

/** Writes the end of an execution whose agent was not started. False when a runner holds the claim: then it is followed like every other. */
export function giveUpExecution(path: string, exit: AgentExit): boolean {
  const folder = createExecutionFolder(path);
  if (!claimExecution(folder, `server ${process.pid}`)) return false;
  writeWhole(folder.exit, exit);
  return true;
}

/** Resolves when it is gone and writes nothing any more. Its agent is ended by whoever finds it without a runner. */
export async function killRunner(folder: ExecutionFolder): Promise<void> {
  const identity = await readRunnerIdentity(folder);
  for (let tries = 0; identity !== undefined && isRunnerAlive(identity) && tries < 100; tries++) {
    signalProcess(identity.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
