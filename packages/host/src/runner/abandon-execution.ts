import { type AgentExit, claimExecution, createExecutionFolder, type ExecutionFolder, writeWhole } from "./execution-folder.ts";
import { signalProcess } from "./process-tree.ts";
import { isRunnerAlive } from "./runner-connection.ts";
import { readRunnerIdentity } from "./runner-files.ts";

/** Writes the end of an execution whose agent was never started. Returns false if a runner has claimed it. */
export function abandonExecution(path: string, exit: AgentExit): boolean {
  const folder = createExecutionFolder(path);
  if (!claimExecution(folder, `server ${process.pid}`)) return false;
  writeWhole(folder.exit, exit);
  return true;
}

/** Resolves when the runner is dead and writes nothing more. Its agent is ended by the next `attach`. */
export async function killRunner(folder: ExecutionFolder): Promise<void> {
  const identity = await readRunnerIdentity(folder);
  for (let tries = 0; identity !== undefined && isRunnerAlive(identity) && tries < 100; tries++) {
    signalProcess(identity.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
