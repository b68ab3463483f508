import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaudeCodeDecoder } from "@skein/agents";
import { createNativeAgent } from "@skein/agents/native";
import { type Execution, type JsonValue, messageIdSchema } from "@skein/contracts";
import { encodeLogRecord, type LogRecord } from "@skein/contracts/log-record";
import type { AgentAdapter, Storage } from "@skein/engine";
import { createExecutionFiles, type ExecutionFolder, executionFolder } from "@skein/host/testing";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildCapabilities, buildExecution, buildProject, buildTask, testTime } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createEventHub } from "../events/event-hub.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createExecutionFollower, type ExecutionFollower } from "./execution-follower.ts";

const attempt = buildAttempt({ agent: "claude-code" });
const execution = buildExecution();

const adapter: AgentAdapter = {
  id: "claude-code",
  name: "Claude Code",
  capabilities: buildCapabilities(),
  recordWriter: "driver",
  describe: () => Promise.reject(new Error("not asked")),
  createLaunch: () => Promise.reject(new Error("not launched")),
  createDecoder: createClaudeCodeDecoder,
  encodeApproval: () => "",
};

const said = { type: "assistant", message: { id: "m", content: [{ type: "text", text: "working" }] } };
const succeeded = (inputTokens: number) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "x",
  model_usage_since_last_result: { m: { inputTokens } },
});
const messageStart = (id: string) => ({ type: "stream_event", event: { type: "message_start", message: { id, content: [] } } });
const textStart = { type: "stream_event", event: { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } };
const delta = (text: string) => ({
  type: "stream_event",
  event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
});
const failed = { type: "result", subtype: "success", is_error: true, result: "Credit balance is too low" };
const apiError = {
  type: "assistant",
  is_api_error_message: true,
  error: "billing_error",
  message: { id: "e", content: [{ type: "text", text: "Credit balance is too low" }] },
};

let directory: string;
let folder: ExecutionFolder;
let storage: Storage;
let follower: ExecutionFollower | undefined;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "skein-follower-"));
  folder = executionFolder(directory);
  writeFileSync(folder.log, "");
  storage = await openSqliteStorage({ file: join(directory, "skein.db") });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask({ status: "in-progress" }));
    await tx.insertAttempt(attempt);
    await tx.insertExecution(execution);
  });
});

afterEach(async () => {
  await follower?.close();
  follower = undefined;
  await storage.close();
  rmSync(directory, { recursive: true });
});

async function follow(of: AgentAdapter = adapter): Promise<ExecutionFollower> {
  await follower?.close();
  const hub = createEventHub(() => {});
  const opened = await createExecutionFollower({
    context: { storage, hub, logger: silentLogger, now: () => testTime + 9000 },
    execution,
    attempt,
    adapter: of,
    files: createExecutionFiles(() => folder),
    position: await storage.read.getIngestPosition({ executionId: execution.id }),
  });
  follower = opened;
  return opened;
}

function write(...lines: JsonValue[]): void {
  appendFileSync(folder.log, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function end(exitCode: number): Promise<Execution | undefined> {
  await follower?.finish({ exitCode, signal: null, endedAt: testTime + 5000 });
  return storage.read.findExecution({ id: execution.id });
}

async function shown(): Promise<string[]> {
  const { messages } = await storage.read.listConversationMessages({ attemptId: attempt.id, limit: 100 });
  return messages.map((message) => `${message.messageType}: ${message.content}`);
}

describe("an unanswered approval", () => {
  const native = createNativeAgent({ program: "node", args: [], describeModels: () => [] });
  const record = (...records: LogRecord[]): void =>
    appendFileSync(folder.log, records.map((one) => `${Buffer.from(encodeLogRecord(one))}\n`).join(""));
  const at = testTime;
  const use = { toolUseId: "t1", toolName: "bash", input: { command: "rm -r dist" }, at };
  const messageId = messageIdSchema.parse("msg_a");

  it("[E10] a tool that prints something has run, also when it fails or never ends", async () => {
    const following = await follow(native);
    record({ type: "log", version: 2 }, { type: "agent-started" });
    record({ type: "tool-use", ...use, messageId, index: 0 }, { type: "approval-request", ...use });
    await following.pump();
    record({ type: "tool-progress", toolUseId: "t1", text: "removing", at });
    await following.pump();
    expect(await storage.read.listApprovals({ executionId: execution.id })).toMatchObject([{ tampering: { kind: "ran-unanswered" } }]);
    record({ type: "tool-result", resultId: messageIdSchema.parse("msg_b"), toolUseId: "t1", output: "failed", isError: true, at });
    await end(1);
    expect((await shown()).filter((text) => text.includes("before anyone had answered"))).toHaveLength(1);
  });

  it("[E10] a tool that failed without a sign of having run is not reported", async () => {
    const following = await follow(native);
    record({ type: "log", version: 2 }, { type: "agent-started" });
    record({ type: "tool-use", ...use, messageId, index: 0 }, { type: "approval-request", ...use });
    record({ type: "tool-result", resultId: messageIdSchema.parse("msg_b"), toolUseId: "t1", output: "not asked", isError: true, at });
    await following.pump();
    await end(1);
    expect(await shown()).not.toContainEqual(expect.stringContaining("nobody had answered"));
  });
});

describe("an agent that reports complete messages", () => {
  it("[E5] reports its end more than once: the last one counts, with the total usage", async () => {
    const following = await follow();
    write(said, failed);
    await following.pump();
    write(said, succeeded(5));
    expect(await end(0)).toMatchObject({ status: "success", reason: null, usage: { inputTokens: 5 } });
  });

  it("[E6, Q16] messages of a failed commit are committed with the next ones", async () => {
    const following = await follow();
    const transaction = vi.spyOn(storage, "transaction").mockRejectedValueOnce(new Error("disk full"));
    write(said);
    await following.pump();
    await vi.waitFor(() => expect(transaction.mock.settledResults[0]?.type).toBe("rejected"));
    expect(await shown()).toEqual([]);
    expect(following.live.messages()).toMatchObject([{ content: "working" }]);
    write({ ...said, message: { ...said.message, id: "n" } });
    await following.pump();
    await vi.waitFor(async () => expect(await shown()).toEqual(["text: working", "text: working"]));
  });

  it("[Q7] its closing record is known after a restart, though the line is not read again", async () => {
    const before = await follow();
    write(said, succeeded(7));
    await before.pump();
    await vi.waitFor(() => expect(before.live.messages()).toEqual([]));
    await follow();
    expect(await end(0)).toMatchObject({ status: "success", usage: { inputTokens: 7 } });
    expect(await shown()).toEqual(["text: working"]);
  });

  it("[E6, E10] bursts share a commit, and facts that others act on are committed at once", async () => {
    const following = await follow();
    const transaction = vi.spyOn(storage, "transaction");
    onTestFinished(() => transaction.mockRestore());
    for (const id of ["m", "n", "o"]) {
      write({ ...said, message: { ...said.message, id } });
      await following.pump();
    }
    expect(following.live.messages()).toHaveLength(3);
    expect(transaction).not.toHaveBeenCalled();
    await vi.waitFor(async () => expect(await shown()).toHaveLength(3));
    expect(transaction).toHaveBeenCalledOnce();
    // readers see a commit before the disk has it: the next one starts after that
    await vi.waitFor(() => expect(following.live.messages()).toEqual([]));
    write({ type: "system", subtype: "init", session_id: "s-1", model: "m", tools: [] });
    await following.pump();
    expect(transaction).toHaveBeenCalledTimes(2);
  });

  it("[E6] streaming text is shown at once, and committed when it is complete or after a while", async () => {
    const following = await follow();
    write(messageStart("m"), textStart, delta("wor"));
    await following.pump();
    expect(following.live.messages()).toMatchObject([{ content: "wor" }]);
    expect(await shown()).toEqual([]);
    write(said);
    await following.pump();
    expect(following.live.messages()).toMatchObject([{ content: "working" }]);
    await vi.waitFor(async () => expect(await shown()).toEqual(["text: working"]));
    await vi.waitFor(() => expect(following.live.messages()).toEqual([]));

    write(messageStart("n"), textStart, delta("still"));
    await following.pump();
    await vi.waitFor(async () => expect(await shown()).toEqual(["text: working", "text: still"]));
    await vi.waitFor(() => expect(following.live.messages()).toEqual([]));
  });

  it("[E6] a commit that has nothing left to do is not the last one", async () => {
    const following = await follow();
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    write(said);
    await following.pump();
    write(messageStart("n"), textStart, delta("wor"));
    await following.pump();
    await vi.waitFor(async () => expect(await shown()).toHaveLength(2));
    // the commit at work may have taken the words along; the one that was to come for them then finds nothing
    const gathering = timers.mock.calls.filter(([, delay]) => delay === 150);
    expect(gathering).not.toEqual([]);
    for (const [callback] of gathering) callback();
    write({ ...said, message: { ...said.message, id: "o" } });
    await following.pump();
    await vi.waitFor(async () => expect(await shown()).toHaveLength(3));
  });

  it("[Q5, Q7] uncommitted messages are read again by the next server, with the same ids and revisions", async () => {
    const before = await follow();
    write(messageStart("m"), textStart, delta("wor"));
    await before.pump();
    write(delta("king"));
    await before.pump();
    const facts = ({ live }: ExecutionFollower) => live.messages().map(({ id, revision, content }) => ({ id, revision, content }));
    const seen = facts(before);
    const after = await follow();
    await after.pump();
    expect(seen).toMatchObject([{ revision: 2, content: "working" }]);
    expect(facts(after)).toEqual(seen);
  });

  it("[E5] an error that the conversation shows is not repeated at the end", async () => {
    await follow();
    write(apiError, failed);
    expect(await end(1)).toMatchObject({ status: "failed", reason: "Credit balance is too low" });
    expect(await shown()).toEqual(["error: Credit balance is too low"]);
  });

  it("[E5] a failure that was not shown before is shown at the end", async () => {
    await follow();
    write(said, failed);
    await end(1);
    expect(await shown()).toEqual(["text: working", "error: Credit balance is too low"]);
  });
});

describe("[Q13, X15] lines that our own code fails on", () => {
  const broken = (text: string): boolean => text.includes("poison");
  /** Its decoder throws for some lines, and for others gives what the database refuses. */
  const faulty: AgentAdapter = {
    ...adapter,
    createDecoder: () => ({
      decode({ text, offset, at }) {
        if (broken(text)) throw new TypeError("a bug");
        const messageId = messageIdSchema.parse(`msg_${offset}`);
        if (text.includes("refused")) return [{ type: "session", sessionId: {} as never, at }];
        return [{ type: "text", mode: "whole", text, messageId, index: 0, at }];
      },
      snapshot: () => null,
    }),
  };

  it.each(["poison", "refused"])("a line that is %s is shown as it is, the others are read, and the execution ends", async (bad) => {
    const following = await follow(faulty);
    appendFileSync(folder.log, `one\n${bad}\ntwo\n`);
    await following.pump();
    appendFileSync(folder.log, "three\n");
    expect(await end(0)).toMatchObject({ status: "success" });
    const messages = await shown();
    for (const text of ["one", "two", "three"]) expect(messages).toContain(`text: ${text}`);
    expect(messages.filter((message) => message.startsWith("notice:"))).toHaveLength(1);
  });

  it("the state of another release is discarded, and the log is read from its start", async () => {
    write(said);
    const ingestState = { decoder: { phase: "legacy", agent: { decoder: "other", version: 9 } }, processor: null };
    await storage.transaction((tx) => tx.setIngestPosition({ executionId: execution.id, offset: 5, ingestState, entries: [] }));
    await follow();
    expect(await end(0)).toMatchObject({ status: "success" });
    expect(await shown()).toEqual(["text: working"]);
  });
});
