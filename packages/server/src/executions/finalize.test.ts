import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNativeAgent } from "@skein/agents/native";
import type { AgentOutput, Delivery } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { createExecutionFiles, type ExecutionFolder, executionFolder } from "@skein/host/testing";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildExecution, buildProject, buildTask, testId, testTime } from "@skein/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEventHub } from "../events/event-hub.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createExecutionFollower } from "./execution-follower.ts";

const attempt = buildAttempt();
const execution = buildExecution();
const records: AgentOutput[] = [
  { type: "text", mode: "delta", messageId: testId("msg", 7), index: 0, text: "Hello", at: testTime },
  { type: "message-end", messageId: testId("msg", 7), stopReason: "end", at: testTime + 1 },
  { type: "end", status: "success", at: testTime + 2 },
];

let directory: string;
let folder: ExecutionFolder;
let storage: Storage;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "skein-finalize-"));
  folder = executionFolder(directory);
  writeFileSync(folder.log, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  storage = await openSqliteStorage({ file: join(directory, "skein.db") });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask({ status: "in-progress" }));
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
  });
});

afterEach(async () => {
  await storage.close();
  rmSync(directory, { recursive: true });
});

/** The same storage, whose next `failures` transactions fail after their work was done. */
function failing(failures: number): Storage {
  let left = failures;
  return {
    kind: storage.kind,
    read: storage.read,
    snapshot: (work) => storage.snapshot(work),
    transaction: (work, options) =>
      storage.transaction(async (tx) => {
        const result = await work(tx);
        if (left-- > 0) throw new Error("disk full");
        return result;
      }, options),
    inspect: () => storage.inspect(),
    onCommitted: (listener) => storage.onCommitted(listener),
    close: () => storage.close(),
  };
}

test("[P5, E9] the usage of an interrupted turn is kept, as far as it was reported", async () => {
  const usage = { inputTokens: 100, outputTokens: 7, costUsd: 0.5 };
  const cut = records.slice(0, 2).map((record) => (record.type === "message-end" ? { ...record, usage } : record));
  writeFileSync(folder.log, [...cut, ...cut].map((record) => `${JSON.stringify(record)}\n`).join(""));
  const follower = await createExecutionFollower({
    context: { storage, hub: createEventHub(() => {}), logger: silentLogger, now: () => testTime + 9 },
    execution,
    attempt,
    adapter: createNativeAgent({ program: "node", args: [], describeModels: () => [] }),
    files: createExecutionFiles(() => folder),
    position: { offset: 0, ingestState: null, entries: [] },
  });
  await follower.finish(undefined);
  await follower.close();
  const [ended] = await storage.read.listExecutions({ attemptId: attempt.id });
  expect(ended).toMatchObject({ status: "interrupted", usage: { inputTokens: 200, outputTokens: 14, costUsd: 1 } });
});

test("[P1, P4] a turn is saved in one transaction at its end, which is retried until it succeeds, and the user is notified", async () => {
  const shown: Delivery[] = [];
  const hub = createEventHub(() => {});
  hub.subscribe((delivery) => shown.push(delivery));
  const follower = await createExecutionFollower({
    context: { storage: failing(2), hub, logger: silentLogger, now: () => testTime + 9 },
    execution,
    attempt,
    adapter: createNativeAgent({ program: "node", args: [], describeModels: () => [] }),
    files: createExecutionFiles(() => folder),
    position: { offset: 0, ingestState: null, entries: [] },
  });
  await follower.pump();
  expect(follower.live.messages()).toMatchObject([{ content: "Hello" }]);
  expect(await storage.read.listMessages({ attemptId: attempt.id })).toEqual([]);

  await follower.finish({ exitCode: 0, signal: null, endedAt: testTime + 3 });
  await follower.close();

  const notices = shown.flatMap(({ seq, event }) =>
    event.type === "message:added" && event.message.messageType === "notice" ? [[seq, event.message.revision, event.message.content]] : [],
  );
  expect(notices).toEqual([
    [undefined, 1, expect.stringContaining("could not be saved yet (disk full)")],
    [undefined, 2, expect.stringContaining("could not be saved yet (disk full)")],
    [undefined, 3, "The result is saved now."],
  ]);
  expect(await storage.read.listExecutions({ attemptId: attempt.id })).toMatchObject([{ status: "success" }]);
  expect(await storage.read.listMessages({ attemptId: attempt.id })).toMatchObject([{ body: { role: "assistant", content: "Hello" } }]);
  const { messages } = await storage.read.listConversationMessages({ attemptId: attempt.id, limit: 10 });
  expect(messages.map((message) => message.content)).toEqual(["Hello"]);
  const events = await storage.read.listEvents({ after: 0, limit: 100 });
  expect(events.filter(({ event }) => event.type === "execution:completed")).toHaveLength(1);
});

test("[E4] a stop while the end cannot be saved pauses the queue: nothing more starts when it can", async () => {
  const queued = { id: testId("que", 1), taskId: attempt.taskId, attemptId: attempt.id, message: "next", images: [], steer: false };
  await storage.transaction((tx) => tx.insertQueuedMessage({ ...queued, createdAt: testTime }));
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  const follower = await createExecutionFollower({
    context: { storage: failing(1), hub: createEventHub(() => {}), logger: { ...silentLogger, error: stop }, now: () => testTime + 9 },
    execution,
    attempt,
    adapter: createNativeAgent({ program: "node", args: [], describeModels: () => [] }),
    files: createExecutionFiles(() => folder),
    position: { offset: 0, ingestState: null, entries: [] },
  });
  const next = await follower.finish({ exitCode: 0, signal: null, endedAt: testTime + 3 }, { wasStopped: () => isStopped });
  await follower.close();
  expect(next).toBeUndefined();
  expect(await storage.read.getQueue({ attemptId: attempt.id })).toMatchObject({
    queue: [{ message: "next" }],
    queuePause: { reason: "stopped" },
  });
});
