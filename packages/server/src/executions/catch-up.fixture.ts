import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClaudeCodeDecoder } from "@skein/agents";
import type { SequencedEvent } from "@skein/contracts";
import type { AgentAdapter, Storage } from "@skein/engine";
import { createExecutionFiles, executionFolder } from "@skein/host/testing";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildCapabilities, buildExecution, buildProject, buildTask, testTime } from "@skein/testkit/builders";
import { createEventHub } from "../events/event-hub.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createExecutionFollower, type ExecutionFollower } from "./execution-follower.ts";

const attempt = buildAttempt({ agent: "claude-code" });
const execution = buildExecution();

export const agentEnd = { exitCode: 0, signal: null, endedAt: testTime + 5000 } as const;

export const toTextLine = (text: string, number: number): string =>
  JSON.stringify({ type: "assistant", message: { id: `m${number}`, content: [{ type: "text", text }] } });
const toUseLine = (number: number): string =>
  JSON.stringify({
    type: "assistant",
    message: { id: `m${number}`, content: [{ type: "tool_use", id: `t${number}`, name: "Bash", input: { command: "ls" } }] },
  });
const toResultLine = (number: number): string =>
  JSON.stringify({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: `t${number}`, content: "x".repeat(300) }] } });

/** A log of texts (`step1`, `step2`, …) and tools. Tools end in the turn after theirs, so that some are open at every line. */
export function toLog(turns: number): string {
  const lines = Array.from({ length: turns }, (_, n) => [
    toTextLine(`step${n}`, 2 * n),
    toUseLine(2 * n + 1),
    ...(n === 0 ? [] : [toResultLine(2 * n - 1)]),
  ]);
  return `${lines.flat().join("\n")}\n`;
}

/** Writes an execution log whose bytes all arrived at once. */
export function writeLog(directory: string, log: string): void {
  const folder = executionFolder(directory);
  const time = Buffer.alloc(16);
  time.writeDoubleLE(testTime, 8);
  writeFileSync(folder.log, log);
  writeFileSync(folder.times, time);
}

/**
 * Opens followers of the log in a directory, with their database there or in another directory. `onCommit` is called after each
 * commit of a follower.
 */
export async function openCatchUp(
  directory: string,
  { commitsAtEnd = false, database = directory }: { commitsAtEnd?: boolean; database?: string } = {},
) {
  const storage = await openSqliteStorage({ file: join(database, "skein.db") });
  if ((await storage.read.findAttempt({ id: attempt.id })) === undefined) {
    await storage.transaction(async (tx) => {
      await tx.insertProject(buildProject());
      await tx.insertTask(buildTask({ status: "in-progress" }));
      await tx.insertAttempt(attempt);
      await tx.insertExecution(execution);
    });
  }
  const published: SequencedEvent[] = [];
  storage.onCommitted((events) => void published.push(...events));
  const adapter: AgentAdapter = {
    id: "claude-code",
    name: "Claude Code",
    capabilities: buildCapabilities({ commitsAtEnd }),
    recordWriter: "driver",
    describe: () => Promise.reject(new Error("not asked")),
    createLaunch: () => Promise.reject(new Error("not launched")),
    createDecoder: createClaudeCodeDecoder,
    encodeApproval: () => "",
  };
  return {
    storage,
    published,
    follow(onCommit: () => void = () => {}): Promise<ExecutionFollower> {
      return createFollower({ storage: withListener(storage, onCommit), adapter, directory });
    },
    async readAll() {
      const { messages: conversation } = await storage.read.listConversationMessages({ attemptId: attempt.id, limit: 100_000 });
      return { conversation, messages: await storage.read.listMessages({ attemptId: attempt.id }) };
    },
  };
}

async function createFollower({ storage, adapter, directory }: { storage: Storage; adapter: AgentAdapter; directory: string }) {
  return createExecutionFollower({
    context: { storage, hub: createEventHub(() => {}), logger: silentLogger, now: () => testTime + 9000 },
    execution,
    attempt,
    adapter,
    files: createExecutionFiles(() => executionFolder(directory)),
    position: await storage.read.getIngestPosition({ executionId: execution.id }),
  });
}

function withListener(storage: Storage, onCommit: () => void): Storage {
  return {
    ...storage,
    async transaction(work, options) {
      const value = await storage.transaction(work, options);
      onCommit();
      return value;
    },
  };
}
