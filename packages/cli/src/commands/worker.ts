import { startWorker, type WorkerState } from "@skein/server/worker";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { keepServingWithoutOutput } from "../terminal/output-errors.ts";

export interface WorkerFlags {
  server: string[];
  token?: string;
  name?: string;
  tag: string[];
  capacity?: number;
  allowHttp?: boolean;
  home?: string;
}

/** `skein worker`: runs attempts for a server on another machine, until Ctrl-C. */
export async function worker(flags: WorkerFlags): Promise<number> {
  // a server may use the default data dir of the same user
  const home = flags.home === undefined && !process.env.SKEIN_HOME ? resolveHome("~/.skein-worker") : resolveHome(flags.home);
  let isRemoved = false;
  keepServingWithoutOutput();
  const started = await startWorker({
    ...{ home, servers: flags.server, token: flags.token, name: flags.name, capacity: flags.capacity, allowsHttp: flags.allowHttp },
    tags: flags.tag.length === 0 ? undefined : flags.tag,
    onState(state) {
      isRemoved = state.type === "removed";
      console.log(describe(state));
    },
  }).catch((error: unknown) => {
    if (error instanceof Error && error.name === "DataDirError") throw new CliError(error.message, { cause: error });
    throw error;
  });
  onInterrupt((count) => {
    if (count > 1) process.exit(exitCode.interrupted);
    console.log("\nStopping. Agents keep running in the background; the next start reconnects to them.");
    void started.close();
  });
  await started.ended;
  return isRemoved ? exitCode.failed : exitCode.success;
}

function describe(state: WorkerState): string {
  switch (state.type) {
    case "connected":
      return `Connected to ${state.server} as ${state.id}.`;
    case "disconnected":
      return `Not connected: ${state.reason} Next try in ${Math.ceil(state.retryMs / 1000)} s; agents keep running.`;
    case "removed":
      return "The server has removed this worker. Its agents were stopped; worktrees are kept.";
  }
}
