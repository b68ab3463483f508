import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageIdSchema, type RunningExecution, type SkeinEvent } from "@skein/contracts";
import type { AgentAdapter, Storage } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { connectInMemory, createExecutionFolder, killExecutionProcesses, type RunnerIdentity, startRunner } from "@skein/host/testing";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildCapabilities, buildExecution, buildProject, buildTask, testId } from "@skein/testkit";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { openLaunchJournal } from "../data-dir/launch-journal.ts";
import { openUnrecordedEnds } from "../data-dir/unrecorded-ends.ts";
import { createEventHub } from "../events/event-hub.ts";
import { openGitLfsFiles } from "../lfs/git-lfs.ts";
import { createMcpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import { openRepositoryTrust } from "../repository/repository-trust.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createExecutionSupervisor, type ExecutionSupervisor } from "./execution-supervisor.ts";

export let home: string;
export let storage: Storage;
export let supervisor: ExecutionSupervisor;
export let events: SkeinEvent[];
export let script: string;

export const attempt = () => buildAttempt({ agent: "acp:lines", directory: home });
export const execution: RunningExecution = buildExecution({ id: testId("exe", process.pid) });

/** A program that prints its lines; each is a text. */
export const lines: AgentAdapter = {
  id: "acp:lines",
  name: "Lines",
  capabilities: buildCapabilities(),
  recordWriter: "driver",
  describe: () => Promise.reject(new Error("not asked")),
  createLaunch: async ({ environment }) => ({ program: "/bin/bash", args: ["--norc", "-c", script], cwd: home, environment, stdin: "" }),
  createDecoder: ({ executionId }) => ({
    decode: ({ text, offset, at }) => [
      { type: "text", mode: "whole", text, messageId: messageIdSchema.parse(`msg_${executionId}_${offset}`), index: 0, at },
    ],
    snapshot: () => null,
  }),
  encodeApproval: () => "",
};

const runnerSecret = "secret";
/** As if the agents ran on another machine. */
export const newHost = () => connectInMemory(createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => runnerSecret })).host;

/** A server that finds what is on disk. */
export function newSupervisor(
  adapters: readonly AgentAdapter[] = [lines],
  { now = Date.now, toolTimeoutMs }: { now?: () => number; toolTimeoutMs?: () => number } = {},
): ExecutionSupervisor {
  const host = newHost();
  const context = { storage, host, hub: createEventHub(() => {}), logger: silentLogger, now } as const;
  return createExecutionSupervisor({
    context,
    unrecorded: openUnrecordedEnds(home),
    findAdapter: (agent) => adapters.find(({ id }) => id === agent),
    mcpServers: createMcpServerRegistry({ home, config: [], environment: {}, host }),
    repositoryTrust: openRepositoryTrust({ home, files: host.workspaces }),
    gitLfs: openGitLfsFiles({ home, workspaces: host.workspaces }),
    launches: openLaunchJournal(home),
    ...(toolTimeoutMs === undefined ? {} : { toolTimeoutMs }),
    readGeneral: () => ({
      systemPrompt: "",
      sandbox: { default: "off", hosts: [], perProject: {} },
      resources: { memoryMb: null, processes: 0, perProject: {} },
    }),
  });
}

/** Replaces what the next steps of a test use. */
export function set(changes: { script?: string; storage?: Storage; supervisor?: ExecutionSupervisor }): void {
  script = changes.script ?? script;
  storage = changes.storage ?? storage;
  supervisor = changes.supervisor ?? supervisor;
}

/** Registers the set-up of each test. A call, because files may share this module. */
export function setUpEachTest(): void {
  beforeEach(async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "skein-supervisor-")));
    script = "echo started; sleep 1000";
    storage = await openSqliteStorage({ file: join(home, "skein.db") });
    events = [];
    storage.onCommitted((committed) => events.push(...committed.map(({ event }) => event)));
    await storage.transaction(async (tx) => {
      await tx.insertProject(buildProject({ path: home }));
      await tx.insertTask(buildTask({ status: "in-progress" }));
      await tx.insertAttempt(attempt());
      await tx.insertExecution(execution);
    });
    supervisor = newSupervisor();
  });

  afterEach(async () => {
    await supervisor.close();
    await killExecutionProcesses({ executionId: execution.id });
    await storage.close();
  });
}

export const folder = () => createExecutionFolder(join(home, "executions", execution.id));
export const prepared = () => ({ execution, attempt: attempt(), message: "go", images: [] });
export const runner = () => JSON.parse(readFileSync(folder().runner, "utf8")) as RunnerIdentity;
export const waitForText = (text: string) =>
  vi.waitFor(() => expect(events.some((event) => event.type === "message:added" && event.message.content === text)).toBe(true), {
    timeout: 10_000,
  });
export const waitForEnd = () =>
  vi.waitFor(
    () => {
      const ended = events.find((event) => event.type === "execution:completed");
      if (ended?.type !== "execution:completed") throw new Error("it runs");
      return ended.status;
    },
    { timeout: 15_000 },
  );

/** As an earlier server left it. */
export const startUnowned = () =>
  startRunner({
    executionId: execution.id,
    folder: folder().path,
    socket: join(home, "s.sock"),
    program: "/bin/bash",
    args: ["--norc", "-c", script],
    cwd: home,
    environment: { PATH: process.env.PATH ?? "" },
    stdin: "",
    controlKey: createHmac("sha256", runnerSecret).update(execution.id).digest("base64url"),
    preamble: { notices: [] },
  });
