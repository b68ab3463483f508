import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EndedExecution } from "@skein/contracts";
import { type Storage, stringField } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { executionFolder } from "@skein/host/testing";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildEndedExecution, buildExecution, buildProject, buildStoredMessage, buildTask, testId } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRetryPoint } from "./find-retry-point.ts";

const attempt = buildAttempt({ agent: "claude-code", sessionId: "s1" });
const execution = buildExecution({ id: testId("exe", 9), number: 9, startedAt: 90 });
const own = buildStoredMessage({ id: testId("msg", 9), executionId: execution.id, createdAt: 20, body: { role: "user", content: "two" } });
/** Each line is `{ session, at }`. */
const adapter = {
  findSessionPoint(line: string) {
    const value = JSON.parse(line);
    const [sessionId, messageId] = [stringField(value, "session"), stringField(value, "at")];
    return sessionId === undefined || messageId === undefined ? undefined : { sessionId, messageId };
  },
};

let directory: string;
let storage: Storage;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "skein-retry-point-"));
  storage = await openSqliteStorage({ file: join(directory, "skein.db") });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertTask(buildTask());
    await tx.insertAttempt(attempt);
  });
});

afterEach(async () => {
  await storage.close();
  rmSync(directory, { recursive: true });
});

async function addExecution(number: number, end: Partial<EndedExecution>, { lines = [] as object[], message = "" } = {}): Promise<void> {
  const id = testId("exe", number);
  const folder = executionFolder(join(directory, "executions", id));
  mkdirSync(folder.path, { recursive: true });
  writeFileSync(folder.log, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await storage.transaction(async (tx) => {
    await tx.insertExecution(buildExecution({ id, number, startedAt: number * 10 }));
    const body = { role: "user" as const, content: message };
    if (message !== "")
      await tx.putMessages([buildStoredMessage({ id: testId("msg", number), executionId: id, body, createdAt: number * 10 })]);
    await tx.endExecution(buildEndedExecution({ id, number, startedAt: number * 10, ...end }));
  });
}

const find = (changes: Partial<Parameters<typeof findRetryPoint>[0]> = {}) =>
  findRetryPoint({
    context: { storage, host: createLocalHost({ home: directory, searchPath: undefined, readRunnerSecret: () => "secret" }) },
    adapter,
    prepared: { execution, attempt, message: "two", images: [] },
    own,
    ...changes,
  });

const answered = { lines: [{ session: "s1", at: "m1" }, { session: "s1", at: "m2" }, { type: "result" }], message: "one" };

describe("[E2] where a session is resumed for a message that is sent again", () => {
  it("at the last answer before its first try", async () => {
    await addExecution(1, { status: "success", code: null }, answered);
    await addExecution(2, { status: "failed", code: "not-answered" }, { lines: [{ session: "s1", at: "error" }] });
    await addExecution(3, { status: "failed", code: "not-answered" });
    expect(await find()).toEqual({ isRetry: true, resumeAt: "m2" });
  });

  it("nowhere else than at its end for a message that is sent for the first time", async () => {
    await addExecution(1, { status: "success", code: null }, answered);
    expect(await find({ own: { ...own, createdAt: execution.startedAt } })).toEqual({});
  });

  it("at its end where another message was not answered before it: the session would lose that one", async () => {
    await addExecution(1, { status: "success", code: null }, answered);
    await addExecution(2, { status: "failed", code: "not-answered" }, { message: "another" });
    await addExecution(3, { status: "failed", code: "not-answered" });
    expect(await find()).toEqual({ isRetry: true });
  });

  it("at its end where the last answer was cut off: its tools may be open", async () => {
    await addExecution(1, { status: "success", code: null }, answered);
    await addExecution(2, { status: "cancelled", code: null }, { lines: [{ session: "s1", at: "m3" }], message: "stopped" });
    expect(await find()).toEqual({ isRetry: true });
  });

  it("at its end where the session is another one by now, and where its log is gone", async () => {
    await addExecution(1, { status: "success", code: null }, answered);
    const moved = { execution, attempt: { ...attempt, sessionId: "s2" }, message: "two", images: [] };
    expect(await find({ prepared: moved })).toEqual({ isRetry: true });
    rmSync(join(directory, "executions", testId("exe", 1)), { recursive: true });
    expect(await find()).toEqual({ isRetry: true });
  });
});
