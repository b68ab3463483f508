import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildProject, buildSummary, buildTask, testId } from "@skein/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
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
  const host = createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" });
  const context = {
    storage,
    home,
    now: Date.now,
    agents: { adapters: new Map([["native", {}]]) },
    repositoryTrust: openRepositoryTrust({ home, files: host.workspaces }),
    gitLfs: openGitLfsFiles({ home, host }),
    host,
    logger: silentLogger,
  };
  const { create } = createAttemptCreation(context as unknown as ServiceContext);
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
