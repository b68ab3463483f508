import { setTimeout } from "node:timers/promises";
import type { ImportRun, ImportRuns } from "@skein/contracts";
import { expect, test } from "vitest";
import { dumpDatabase, hashFiles, newUserHome, runImport, writeLongSession } from "./support/imported-sessions.ts";
import { isLong } from "./support/long.ts";
import { startRealServer } from "./support/real-server.ts";

test("[Q20] an import that is killed again and again gives the same database as one that is not", async () => {
  const user = newUserHome("claude-code", "opencode");
  for (let session = 0; session < 4; session++) writeLongSession(user, { id: `long-${session}`, turns: 15, toolsPerTurn: 60 });
  const before = hashFiles(user.home);
  const environment = { HOME: user.home };
  const clean = await startRealServer({ environment });
  await runImport(clean, { source: "claude-code" });
  await runImport(clean, { source: "opencode" });
  const wanted = await dumpDatabase(clean.home);
  await clean.stop();

  const server = await startRealServer({ environment });
  let kills = 0;
  for (let round = 0; round < (isLong ? 40 : 8); round++) {
    for (const source of ["claude-code", "opencode"]) await server.api.request<ImportRun>("POST", "/api/import", { source });
    // after more and more work; once at its very beginning
    const messages = round * 350;
    const hasWorked = async () => {
      const { runs } = await server.api.request<ImportRuns>("GET", "/api/import/runs");
      return runs.every(({ endedAt }) => endedAt !== null) || runs.reduce((sum, run) => sum + run.messages, 0) > messages;
    };
    while (!(await hasWorked())) await setTimeout(5);
    await server.kill();
    kills += 1;
    await server.start();
  }
  await runImport(server, { source: "claude-code" });
  await runImport(server, { source: "opencode" });
  expect(kills).toBeGreaterThan(5);
  const found = await dumpDatabase(server.home);
  for (const table of Object.keys(wanted)) expect(found[table], table).toEqual(wanted[table]);
  expect(hashFiles(user.home)).toBe(before);
});
