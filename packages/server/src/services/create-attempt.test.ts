import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildExecution, buildProject, buildStoredMessage, buildSummary, buildTask, testId } from "@skein/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toAttemptFolder } from "../executions/attempt-folder.ts";
import { createAttemptCreations } from "../hosts/attempt-creations.ts";
import { openGitLfsFiles } from "../lfs/git-lfs.ts";
import { openRepositoryTrust } from "../repository/repository-trust.ts";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createAttemptCreation } from "./create-attempt.ts";
import type { ServiceContext } from "./service-context.ts";

let home: string;
let storage: Storage;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "skein-attempts-"));
  storage = await openSqliteStorage({ file: join(home, "skein.db") });
});
afterEach(async () => {
  await storage.close();
  rmSync(home, { recursive: true });
});

function newContext(): ServiceContext {
  const host = createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" });
  const context = {
    storage,
    home,
    now: Date.now,
    agents: { adapters: new Map([["native", {}]]) },
    repositoryTrust: openRepositoryTrust({ home, files: host.workspaces }),
    gitLfs: openGitLfsFiles({ home, workspaces: host.workspaces }),
    creations: createAttemptCreations({
      ...{
        storage,
        logger: silentLogger,
        hasRepository: async () => true,
        isGone: () => false,
        listPlaces: () => [{ hostId: null, host }],
      },
    }),
    settings: { general: () => ({ sandbox: { default: "off", hosts: [], perProject: {} } }) },
    supervisor: { waitUntilSettled: async () => {} },
    host,
    logger: silentLogger,
  };
  return context as unknown as ServiceContext;
}

test("[G3, R10] a fork has no summary of messages that came after its point, and no pruning of them", async () => {
  const git = (...args: string[]) => execFileSync("git", ["-C", home, "-c", "user.name=A", "-c", "user.email=a@b.invalid", ...args]);
  git("init", "--quiet", "--initial-branch=main");
  git("commit", "--quiet", "--allow-empty", "--message", "first");
  const baseCommit = git("rev-parse", "HEAD").toString().trim();
  const source = buildAttempt({ directory: home, baseCommit });
  const project = buildProject({ path: home });
  const [first, second] = [buildExecution(), buildExecution({ id: testId("exe", 2), number: 2 })];
  const results = [1, 2].map((number) => ({ messageId: testId("msg", number), toolCallId: "call_1" }));
  const summary = { ...buildSummary(), messageIds: results.map(({ messageId }) => messageId) };
  const ended = { status: "success", endedAt: 2, durationMs: 1, exitCode: 0, reason: null, code: null, usage: {} } as const;
  await storage.transaction(async (tx) => {
    await tx.insertProject(project);
    await tx.insertTask(buildTask());
    await tx.insertAttempt(source);
    for (const [number, execution] of [first, second].entries()) {
      await tx.insertExecution(execution);
      await tx.putMessages([buildStoredMessage({ id: testId("msg", number + 1), executionId: execution.id })]);
      await tx.endExecution({ ...execution, ...ended });
    }
    await tx.saveCompression({ attemptId: source.id, expectedSummaryId: null, summary, pruning: { results }, at: 1 });
  });
  const context = newContext();
  for (const { id } of [first, second]) {
    await context.host.workspaces.recordExecution({ attempt: toAttemptFolder(source, project), executionId: id });
  }
  const { create } = createAttemptCreation(context);
  const fork = (executionId: ExecutionId) =>
    create(source.taskId, {
      ...{ agent: "native", model: "scripted/demo", isolation: "worktree", permissionMode: "ask" },
      forkFrom: { executionId, at: "end" },
    });
  const early = await fork(first.id);
  expect(await storage.read.getCompression({ attemptId: early.id })).toEqual({ summary: null, pruning: { results: results.slice(0, 1) } });
  const late = await fork(second.id);
  expect(await storage.read.getCompression({ attemptId: late.id })).toMatchObject({
    summary: { summary: summary.summary },
    pruning: { results },
  });
});

test("[R10] a continuing attempt starts with the other's compression, and changes only its own", async () => {
  const source = buildAttempt({ directory: home });
  const summary = buildSummary();
  const pruning = { results: [{ messageId: testId("msg"), toolCallId: "call_1" }] };
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject({ path: home }));
    await tx.insertTask(buildTask());
    await tx.insertAttempt(source);
    await tx.saveCompression({ attemptId: source.id, expectedSummaryId: null, summary, pruning, at: 1 });
  });
  const { create } = createAttemptCreation(newContext());
  const input = { agent: "native", model: "scripted/demo", isolation: "in-place", permissionMode: "ask", continueFrom: source.id } as const;
  const next = await create(source.taskId, input);
  expect(next).toMatchObject({ continuedFrom: source.id, directory: home, number: 2, active: true });
  const inherited = await storage.read.getCompression({ attemptId: next.id });
  expect(inherited).toEqual({ pruning, summary: { ...summary, id: inherited.summary?.id, attemptId: next.id } });
  expect(inherited.summary?.id).not.toBe(summary.id);

  const later = { ...summary, id: testId("sum", 9), attemptId: next.id, summary: "Later." };
  const saved = storage.transaction((tx) =>
    tx.saveCompression({ attemptId: next.id, expectedSummaryId: inherited.summary?.id ?? null, summary: later, pruning: null, at: 2 }),
  );
  expect(await saved).toBe(true);
  expect((await storage.read.getCompression({ attemptId: source.id })).summary).toEqual(summary);
  await storage.transaction((tx) => tx.undoCompression({ attemptId: next.id }));
  expect(await storage.read.getCompression({ attemptId: next.id })).toEqual(inherited);
});
