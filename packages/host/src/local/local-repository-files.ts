import { existsSync } from "node:fs";
import { mkdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { findLoadedFiles } from "@skein/agents/loaded-files";
import { connectMcpServers } from "@skein/agents/mcp";
import type { AttemptId, NoticeText } from "@skein/contracts";
import { keepEnd } from "@skein/engine";
import type { RepositoryFiles } from "../port/repository-files.ts";
import { copyFiles } from "../repository/copy-files.ts";
import { readAgentSettings } from "../repository/read-agent-settings.ts";
import { readProjectScripts } from "../repository/read-project-scripts.ts";
import { readSmallBytes } from "../repository/read-small-file.ts";
import { writeWhole } from "../runner/execution-folder.ts";
import { killExecutionProcesses } from "../runner/process-tree.ts";
import { type RunningScript, runScript } from "../runner/run-script.ts";
import type { DataFolders } from "./data-folders.ts";
import { openSandbox } from "./open-sandbox.ts";

const usuallyKept = 8000;

export function createLocalRepositoryFiles(folders: DataFolders): RepositoryFiles {
  const { setups, outputs } = folders;
  /** By marker. */
  const running = new Map<string, RunningScript>();
  /** Exists once the worktree of an attempt has been set up. */
  const doneFile = (id: AttemptId): string => join(setups, `${id}.json`);

  return {
    readScripts: ({ directory }) => readProjectScripts(directory),
    readAgentSettings: ({ directory }) => readAgentSettings(directory),
    findLoadedFiles: ({ directory, commands }) => findLoadedFiles(directory, commands),
    readSmallFile: ({ directory, path }) => readSmallBytes(join(directory, path)),
    copyFiles,

    isSetUp: async ({ id }) => existsSync(doneFile(id)),
    async beginSetup({ id }) {
      await mkdir(setups, { recursive: true, mode: 0o700 });
      return { doneFile: doneFile(id) };
    },
    async finishSetup({ id }) {
      await mkdir(setups, { recursive: true, mode: 0o700 });
      writeWhole(doneFile(id), { at: Date.now() });
    },
    forgetSetup: ({ id }) => unlink(doneFile(id)).catch(() => {}),

    async readMcpTools({ directory, server, environment }) {
      const notices: NoticeText[] = [];
      const connected = await connectMcpServers({
        servers: [{ definition: server, trustedTools: null }],
        directory,
        environment,
        spillDirectory: outputs,
        signal: new AbortController().signal,
        onNotice: (notice) => void notices.push(notice.text),
      });
      await connected.close();
      const [reached] = connected.reached;
      if (reached === undefined) return { notices };
      return { tools: Object.fromEntries(reached.tools.map((tool) => [tool.name, tool.hash])) };
    },

    async runScript({ directory, sandbox, keptCharacters = usuallyKept, ...order }) {
      let output = "";
      try {
        const confined =
          sandbox && (await openSandbox({ ...sandbox, home: [] }, { folders, cwd: directory, environment: order.environment }));
        const script = runScript({ ...order, cwd: directory, sandbox: confined }, (_stream, text) => {
          output = keepEnd(output + text, keptCharacters);
        });
        running.set(order.marker, script);
        const { exitCode, timedOut, startError } = await script.ended;
        return { exitCode, timedOut, output, ...(startError === undefined ? {} : { startError }) };
      } catch (error) {
        return { exitCode: null, timedOut: false, output, startError: error instanceof Error ? error.message : String(error) };
      } finally {
        running.delete(order.marker);
      }
    },
    async endScript({ marker }) {
      const script = running.get(marker);
      script?.stop();
      await script?.ended;
      await killExecutionProcesses({ executionId: marker });
    },
  };
}
