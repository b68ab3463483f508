import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEntry } from "@skein/contracts";
import { openSqliteStorage } from "@skein/storage";
import { buildProject, testId } from "@skein/testkit";
import { expect, it, onTestFinished } from "vitest";
import { runAudited, withAudit } from "./audit-alongside.ts";

async function openStorage() {
  const folder = mkdtempSync(join(tmpdir(), "skein-audit-"));
  const storage = await openSqliteStorage({ file: join(folder, "skein.db") });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const listActions = async () => (await storage.read.listAuditEntries({ limit: 10 })).map(({ action }) => action);
  return { storage, audited: withAudit(storage), listActions };
}

const entry =
  (outcome: AuditEntry["outcome"] = "done") =>
  (): Omit<AuditEntry, "number"> => ({ at: 1, caller: "instance", action: "POST /api/projects", outcome, subjects: [], address: "" });
const [one, two] = [buildProject({ path: "/one" }), buildProject({ id: testId("prj", 2), path: "/two" })];

it("[W5] an entry is written in the transaction of the change, once, however many transactions a request has", async () => {
  const { audited, storage, listActions } = await openStorage();
  const { value, isRecorded } = await runAudited(entry(), async () => {
    await audited.transaction((tx) => tx.insertProject(one));
    expect(await listActions()).toEqual(["POST /api/projects"]);
    await Promise.all([audited.transaction((tx) => tx.insertProject(two)), audited.transaction(async () => {})]);
    return "created";
  });
  expect([value, isRecorded, await listActions()]).toEqual(["created", true, ["POST /api/projects"]]);
  await audited.transaction((tx) => tx.deleteProject(two));
  expect(await listActions()).toHaveLength(1);
  expect((await storage.read.listProjects()).map(({ id }) => id)).toEqual([one.id]);
});

it("[W5] without its entry there is no change, and without a change no entry", async () => {
  const { audited, storage, listActions } = await openStorage();
  const unwritable = entry("unknown" as AuditEntry["outcome"]);
  await expect(runAudited(unwritable, () => audited.transaction((tx) => tx.insertProject(one)))).rejects.toThrow();
  expect(await storage.read.listProjects()).toEqual([]);
  const failing = audited.transaction(async (tx) => {
    await tx.insertProject(one);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await expect(runAudited(entry(), () => audited.transaction(() => Promise.reject(new Error("no"))))).rejects.toThrow("no");
  expect(await listActions()).toEqual([]);
  expect(await runAudited(entry(), async () => 1)).toEqual({ value: 1, isRecorded: false });
});
