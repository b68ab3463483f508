import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { open, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type ExecutionId, executionIdSchema } from "@skein/contracts";
import type { AgentLaunch, LaunchSandbox } from "@skein/engine";
import type { Executions } from "../port/executions.ts";
import { abandonExecution, killRunner } from "../runner/abandon-execution.ts";
import { createControlKeys } from "../runner/control-keys.ts";
import { removeCgroup } from "../runner/execution-cgroup.ts";
import { createExecutionFolder, type ExecutionFolder, executionFolder, writeWhole } from "../runner/execution-folder.ts";
import { findPeerExecution } from "../runner/find-peer-execution.ts";
import { processTable } from "../runner/process-table.ts";
import { findMarkedProcesses, killExecutionProcesses } from "../runner/process-tree.ts";
import { runPreview } from "../runner/run-preview.ts";
import { runQuestion } from "../runner/run-question.ts";
import { isRunnerAlive } from "../runner/runner-connection.ts";
import { readRunnerIdentity } from "../runner/runner-files.ts";
import { runnerSocketPath } from "../runner/runner-socket.ts";
import { startRunner } from "../runner/start-runner.ts";
import { untilFirstOutput } from "../runner/until-first-output.ts";
import { type AttachedRunner, attachRunner } from "./attach-runner.ts";
import type { Creations } from "./creations.ts";
import { type DataFolders, listNames } from "./data-folders.ts";
import { createExecutionFiles } from "./execution-files.ts";
import { createLocalStoredExecutions } from "./local-stored-executions.ts";
import { openSandbox } from "./open-sandbox.ts";
import { toRunnerLimits } from "./runner-limits.ts";

/** Runners on this machine. `readSecret`: the secret that control keys are derived from. */
export function createLocalExecutions(input: {
  folders: DataFolders;
  creations: Pick<Creations, "keep">;
  readSecret(): string;
}): Executions {
  const { folders, readSecret } = input;
  const keys = createControlKeys(readSecret);
  const attached = new Map<ExecutionId, AttachedRunner>();
  const pathOf = (id: ExecutionId): string => join(folders.executions, id);
  const folderOf = (id: ExecutionId): ExecutionFolder => executionFolder(pathOf(id));

  /** Rejects if this machine cannot run sandboxes: the agent must not be started without one. */
  async function confine(sandbox: LaunchSandbox, { cwd, environment }: Pick<AgentLaunch, "cwd" | "environment">) {
    const { order } = await openSandbox(sandbox, { folders, cwd, environment });
    return { scope: sandbox.scope, ...order };
  }

  return {
    ...createExecutionFiles(folderOf),
    ...createLocalStoredExecutions(folders),

    async prepare({ id }) {
      keys.keyFor(id); // fails before anything is written if the secret cannot be read
      const { log, history } = createExecutionFolder(pathOf(id));
      return { log, history };
    },
    async writeOrigin(origin) {
      // from now on somebody may work there
      await input.creations.keep(origin.attempt.id);
      writeWhole(folderOf(origin.execution.id).origin, origin);
    },
    async writeHistory({ id, pieces }) {
      const handle = await open(folderOf(id).history, "w", 0o600);
      try {
        for await (const piece of pieces) await handle.writeFile(piece);
      } finally {
        await handle.close();
      }
    },
    removeHistory: ({ id }) => rm(folderOf(id).history, { force: true }),
    async launch({ id, launch: { sandbox, ...launch }, preamble, resources }) {
      const confined = sandbox === undefined ? {} : { sandbox: await confine(sandbox, launch) };
      const socket = runnerSocketPath(folders.home, id);
      const controlKey = keys.keyFor(id);
      const limits = resources === undefined ? {} : toRunnerLimits(resources);
      await startRunner({ ...launch, ...confined, executionId: id, folder: pathOf(id), socket, controlKey, preamble, limits });
    },
    untilFirstOutput: ({ id }) => untilFirstOutput(folderOf(id)),
    isClaimed: async ({ id }) => existsSync(folderOf(id).claim),
    abandon: async ({ id, exit }) => abandonExecution(pathOf(id), exit),

    attach({ id }) {
      const runner = attachRunner({
        id,
        folder: folderOf(id),
        readKey: () => keys.keyFor(id),
        onOver() {
          if (attached.get(id) === runner) attached.delete(id);
        },
      });
      attached.set(id, runner);
      return runner.reports;
    },
    send: async ({ id, data }) => attached.get(id)?.send(data),
    stop: async ({ id }) => attached.get(id)?.stop(),
    detach: async ({ id }) => attached.get(id)?.detach(),
    async recordStop({ id, at }) {
      writeFileSync(createExecutionFolder(pathOf(id)).stopRequested, String(at), { mode: 0o600 });
    },
    async findStop({ id }) {
      const { stopRequested } = folderOf(id);
      return existsSync(stopRequested) ? Number(readFileSync(stopRequested, "utf8")) : null;
    },

    async isRunning({ id }) {
      const identity = await readRunnerIdentity(folderOf(id));
      return identity !== undefined && isRunnerAlive(identity);
    },
    killRunner: ({ id }) => killRunner(folderOf(id)),
    async kill({ id }) {
      await killRunner(folderOf(id));
      const cgroup = (await readRunnerIdentity(folderOf(id)))?.cgroup;
      await killExecutionProcesses({ executionId: id, cgroup });
      if (cgroup !== undefined) removeCgroup(cgroup, id);
    },
    findProcesses: async ({ ids }) => findMarkedProcesses(ids).map((found) => ({ ...found, name: processTable.readName(found.pid) })),
    async listSockets() {
      const names = await listNames(folders.sockets);
      return names.flatMap((name) => executionIdSchema.safeParse(name.replace(/\.sock$/, "")).data ?? []);
    },
    async removeSockets({ ids }) {
      for (const id of ids) await unlink(join(folders.sockets, `${id}.sock`)).catch(() => {});
    },
    findPeer: async ({ peer, running }) => findPeerExecution(peer, running) ?? null,

    runPreview,
    runQuestion,
  };
}
