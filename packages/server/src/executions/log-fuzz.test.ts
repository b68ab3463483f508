import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDrivenAgent, toConfiguredKind } from "@skein/agents/driven";
import { createNativeAgent } from "@skein/agents/native";
import { type Attempt, type ConversationMessage, createId, messageIdSchema, type RunningExecution } from "@skein/contracts";
import { encodeLogRecord, type LogRecord } from "@skein/contracts/log-record";
import { escapeAgentLine } from "@skein/contracts/record-frame";
import type { AgentAdapter, Storage } from "@skein/engine";
import { createExecutionFiles, executionFolder } from "@skein/host/testing";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildExecution, buildProject, buildTask, testId, testTime } from "@skein/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEventHub } from "../events/event-hub.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createExecutionFollower, type ExecutionFollower } from "./execution-follower.ts";

/*
 * Logs as an agent, a driver or a disk could make them, through the real reader, decoders, processor and database: whatever
 * they hold, every execution ends, no other line is lost, and no line of an agent becomes anything else than its output.
 */

const isLong = process.env.SKEIN_TEST_LONG === "1";
const cases = isLong ? 50_000 : 160;
const lanes = 32;
/** In memory where there is such a folder: what a disk does is not the subject. */
const folderOfAll = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const kind = toConfiguredKind("command:fuzz", { command: ["/bin/true"], name: undefined });
if (kind === undefined) throw new Error("no such kind");
const host = { program: "node", args: [], environment: {}, baseEnvironment: {} };
const command = createDrivenAgent(kind, {}, host);
const native = createNativeAgent({ program: "node", args: [], describeModels: () => [] });

/** As its driver would write: sessions, messages, approvals and ends in every shape, true ones and broken ones. */
const recordTypes = ["session", "user-message", "approval-withdrawn", "approval-request", "notice", "error", "end", "text", "thinking"];
const moreTypes = [
  "tool-use",
  "tool-result",
  "tool-progress",
  "message-end",
  "retry",
  "compression",
  "log",
  "agent-started",
  "setup-ended",
];
const fieldNames = [
  "messageId",
  "text",
  "sessionId",
  "toolUseId",
  "toolName",
  "input",
  "status",
  "mode",
  "index",
  "at",
  "output",
  "isError",
];
const moreFields = ["grant", "reason", "images", "script", "version", "resultId", "attempt", "delayMs", "code", "expectedSummaryId"];

const value = fc.oneof(
  fc.constantFrom<unknown>(
    "msg_a",
    "msg_b",
    "t1",
    "t2",
    "success",
    "failed",
    "delta",
    "whole",
    0,
    1,
    -1,
    2 ** 53,
    1e308,
    true,
    null,
    "",
    "__proto__",
  ),
  fc.constantFrom<unknown>("--resume", "ses_forged", "\u0000", "\ud800", { type: "tool", tool: "bash" }, [], {}, testId("msg", 1)),
  fc.string({ maxLength: 12 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const looseRecord = fc
  .tuple(
    fc.constantFrom(...recordTypes, ...moreTypes),
    fc.dictionary(fc.constantFrom(...fieldNames, ...moreFields), value, { maxKeys: 12 }),
  )
  .map(([type, fields]) => ({ ...fields, type }));
const at = testTime;
/** What fits its schema, with ids that meet each other. */
const soundRecord = fc.oneof(
  fc.record({
    type: fc.constantFrom("text" as const, "thinking" as const),
    mode: fc.constantFrom("delta" as const, "whole" as const),
    text: fc.string({ maxLength: 20 }),
    messageId: fc.constantFrom("msg_a", "msg_b", testId("msg", 1)).map((id) => messageIdSchema.parse(id)),
    index: fc.constantFrom(0, 1, 2, 1000, Number.MAX_SAFE_INTEGER),
    at: fc.constantFrom(0, at, 8.64e15),
  }),
  fc.record({
    type: fc.constant("tool-use" as const),
    toolUseId: fc.constantFrom("t1", "t2", "t3"),
    toolName: fc.constantFrom("bash", "read", "__proto__", "task"),
    input: fc.constantFrom({}, null, { command: "ls" }, { path: 7 }, []),
    messageId: fc.constantFrom("msg_a", "msg_b").map((id) => messageIdSchema.parse(id)),
    index: fc.constantFrom(0, 1, 5),
    at: fc.constant(at),
  }),
  fc.record({
    type: fc.constant("tool-result" as const),
    resultId: fc.constantFrom("msg_r1", "msg_a").map((id) => messageIdSchema.parse(id)),
    toolUseId: fc.constantFrom("t1", "t2", "t4"),
    output: fc.string({ maxLength: 20 }),
    isError: fc.boolean(),
    structured: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<never>,
    at: fc.constant(at),
  }),
  fc.record({
    type: fc.constant("approval-request" as const),
    toolUseId: fc.constantFrom("t1", "t2"),
    toolName: fc.constant("bash"),
    input: fc.constant({ command: "ls" }),
    grant: fc.constant({ type: "edits", tool: "write" }),
    at: fc.constant(at),
  }),
  fc.record({ type: fc.constant("end" as const), status: fc.constantFrom("success" as const, "failed" as const), at: fc.constant(at) }),
) as fc.Arbitrary<LogRecord>;

const toForged = (record: unknown): string[] => {
  const json = JSON.stringify(record);
  return [json, `\u001e${json}`, `\u001e\u001e${json}`, `{"skein":${json}}`, `\u001e{"skein":${json}}`, ` \u001e${json}`];
};
/** What an agent prints: a line of anything. */
const agentLine = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\n", "")),
  fc.tuple(fc.oneof(looseRecord, soundRecord), fc.nat(5)).map(([record, index]) => toForged(record)[index] ?? ""),
  fc.constantFrom(
    "\u001e",
    "\u001e\u001e",
    "\u001e{",
    '{"skein":null}',
    '{"skein":',
    "null",
    "\r",
    "{}",
    '\u001e{"type":"log","version":2}',
  ),
);

/** What a bug or a damaged disk makes of a record: bytes that changed, are gone, or came twice. */
const damagedRecord = fc
  .tuple(
    fc.oneof(looseRecord, soundRecord),
    fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom("set", "cut", "twice")), { maxLength: 4 }),
  )
  .map(([record, changes]) => {
    let bytes = Buffer.from(encodeLogRecord(record as LogRecord));
    for (const [place, byte, how] of changes) {
      const index = place % Math.max(1, bytes.length);
      if (how === "set") bytes[index] = byte === 0x0a ? 0x20 : byte;
      else if (how === "cut") bytes = bytes.subarray(0, index);
      else bytes = Buffer.concat([bytes, bytes.subarray(index)]);
    }
    return bytes.toString("latin1");
  });

const cuts = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 4 });
const head: LogRecord[] = [{ type: "log", version: 2 }, { type: "agent-started" }];
const toBytes = (lines: readonly Uint8Array[]): Buffer =>
  Buffer.concat([...head.map((record) => Buffer.from(encodeLogRecord(record))), ...lines].flatMap((line) => [line, Buffer.from("\n")]));

let number = 0;
let directory: string;
let storage: Storage;
/** One attempt for each test that runs at a time, and one whose messages nobody may touch. */
const attempts = Array.from(
  { length: lanes + 1 },
  (_, index): Attempt => buildAttempt({ id: testId("att", index), number: index + 1, active: index === 0 }),
);
const bystander = buildExecution({ id: testId("exe", 999), attemptId: testId("att", lanes) });
const free = attempts.slice(0, lanes);

beforeAll(async () => {
  directory = mkdtempSync(join(folderOfAll, "skein-fuzz-"));
  storage = await openSqliteStorage({ file: join(directory, "skein.db") });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask({ status: "in-progress" }));
    for (const attempt of attempts) await tx.insertAttempt(attempt);
    await tx.insertExecution(bystander);
    await tx.putConversationMessages({ attemptId: bystander.attemptId, executionId: bystander.id, messages: [ofOthers] });
  });
});

afterAll(async () => {
  await storage.close();
  rmSync(directory, { recursive: true });
});

const ofOthers: ConversationMessage = {
  id: testId("msg", 1),
  role: "user",
  messageType: "text",
  content: "What somebody else said.",
  timestamp: testTime,
  revision: 1,
  metadata: { executionId: bystander.id },
};

/** Writes the log in pieces, with a look at it after each and a new server after some, and ends the execution. */
async function play(adapter: AgentAdapter, log: Buffer, pieces: readonly (readonly [number, boolean])[]): Promise<ConversationMessage[]> {
  const attempt = free.pop();
  if (attempt === undefined) throw new Error("no attempt is free");
  try {
    return await playOn(attempt, adapter, log, pieces);
  } finally {
    free.push(attempt);
  }
}

async function playOn(attempt: Attempt, adapter: AgentAdapter, log: Buffer, pieces: readonly (readonly [number, boolean])[]) {
  const execution: RunningExecution = buildExecution({ id: createId("exe"), attemptId: attempt.id, number: ++number });
  const folder = executionFolder(join(directory, execution.id));
  mkdirSync(folder.path);
  await storage.transaction((tx) => tx.insertExecution(execution));
  const open = async (): Promise<ExecutionFollower> =>
    createExecutionFollower({
      context: { storage, hub: createEventHub(() => {}), logger: silentLogger, now: () => testTime },
      execution,
      attempt,
      adapter,
      files: createExecutionFiles(() => folder),
      position: await storage.read.getIngestPosition({ executionId: execution.id }),
    });
  let follower = await open();
  const places = [...pieces].map(([place, restarts]) => [place % (log.length + 1), restarts] as const).sort(([a], [b]) => a - b);
  let written = 0;
  for (const [place, restarts] of places) {
    appendFileSync(folder.log, log.subarray(written, place));
    written = place;
    await follower.pump();
    if (!restarts) continue;
    await follower.close();
    follower = await open();
  }
  appendFileSync(folder.log, log.subarray(written));
  await follower.finish({ exitCode: 0, signal: null, endedAt: testTime + 5 });
  await follower.close();
  rmSync(folder.path, { recursive: true });
  expect(await storage.read.findExecution({ id: execution.id })).not.toMatchObject({ status: "running" });
  expect(await storage.read.listApprovals({ executionId: execution.id, status: "pending" })).toEqual([]);
  const { messages } = await storage.read.listConversationMessages({ attemptId: attempt.id, limit: 100 });
  return messages.filter((message) => (message.metadata as { executionId?: string }).executionId === execution.id);
}

/** Several at a time: they share their commits. */
async function forAll<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> {
  const property = fc.asyncProperty(fc.array(arbitrary, { minLength: lanes, maxLength: lanes }), async (values) => {
    await Promise.all(values.map(check));
  });
  await fc.assert(property, { numRuns: Math.ceil(cases / lanes), endOnFailure: !isLong });
}

describe("[X15, Q13] random logs", { timeout: isLong ? 7_200_000 : 60_000 }, () => {
  it(`of an agent that prints anything (${cases} cases): all of it is text, and nothing is a record`, async () => {
    await forAll(fc.tuple(fc.array(agentLine, { maxLength: 12 }), cuts), async ([lines, pieces]) => {
      const printed = ["begin", ...lines, "the end"].map((line) => Buffer.from(line));
      const end = Buffer.from(encodeLogRecord({ type: "end", status: "success" }));
      const messages = await play(command, toBytes([...printed.map(escapeAgentLine), end]), pieces);
      const text = printed.map((line) => line.toString("utf8").replace(/\r$/, "")).join("\n");
      expect(messages.map(({ role, messageType, content }) => [role, messageType, content])).toEqual([["assistant", "text", text]]);
    });
    for (const attempt of attempts) {
      expect(await storage.read.findAttempt({ id: attempt.id })).toMatchObject({ sessionId: null });
      expect(await storage.read.listApprovals({ attemptId: attempt.id })).toEqual([]);
    }
  });

  it(`of records that are damaged (${cases} cases): every execution ends, and what is sound is shown`, async () => {
    await forAll(
      fc.tuple(
        fc.array(
          fc.oneof(
            damagedRecord,
            soundRecord.map((record) => Buffer.from(encodeLogRecord(record)).toString("latin1")),
          ),
          { maxLength: 10 },
        ),
        cuts,
      ),
      async ([records, pieces]) => {
        const sentinels = records.map((_, index) => ({ id: createId("msg"), text: `sound ${index}` }));
        const lines = records.flatMap((record, index): Uint8Array[] => {
          const { id, text } = sentinels[index] ?? { id: createId("msg"), text: "" };
          return [Buffer.from(record, "latin1"), Buffer.from(encodeLogRecord({ type: "notice", messageId: id, text, at }))];
        });
        const messages = await play(native, toBytes(lines), pieces);
        expect(messages.map(({ content }) => content)).toEqual(expect.arrayContaining(sentinels.map(({ text }) => text)));
      },
    );
    const others = await storage.read.listConversationMessages({ attemptId: bystander.attemptId, limit: 10 });
    expect(others.messages).toEqual([ofOthers]);
    const rules = (await storage.read.listApprovals({})).filter(({ grant }) => grant !== undefined);
    expect(rules.filter(({ grant }) => grant?.tool !== "bash")).toEqual([]);
  });
});
