import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { userIdSchema } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { buildProject, buildTask } from "@skein/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createOwnedKeys } from "./owned-keys.ts";

let folder = "";
let storage: Storage;
const [project, task] = [buildProject(), buildTask()];
const [ada, eve] = [userIdSchema.parse("usr_ada"), userIdSchema.parse("usr_eve")];
const open = (secret = "the secret of this server") => createOwnedKeys({ storage, now: () => 5, secret: () => secret });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-keys-"));
  storage = await openSqliteStorage({ file: join(folder, "skein.db") });
  await storage.transaction(async (tx) => {
    await tx.insertProject(project);
    await tx.insertTask(task);
  });
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

it("[W5] a user's key serves only messages of that user; a project's key serves everybody else", async () => {
  const keys = open();
  await keys.service.set(project.id, "openai", "of-the-project");
  await keys.service.set(ada, "openai", "of-ada");
  await keys.service.set(ada, "claude-code", "login-of-ada");
  const forUser = (by?: { id: typeof ada; name: string }) => keys.forExecution({ taskId: task.id, ...(by && { by }) });
  expect(await forUser({ id: ada, name: "Ada" })).toEqual({ OPENAI_API_KEY: "of-ada", CLAUDE_CODE_OAUTH_TOKEN: "login-of-ada" });
  expect(await forUser({ id: eve, name: "Eve" })).toEqual({ OPENAI_API_KEY: "of-the-project" });
  expect(await forUser()).toEqual({ OPENAI_API_KEY: "of-the-project" });
  await keys.service.set(ada, "openai", null);
  expect(await forUser({ id: ada, name: "Ada" })).toMatchObject({ OPENAI_API_KEY: "of-the-project" });
});

it("[W5] keys are stored encrypted and bound to their owner, and never returned", async () => {
  const keys = open();
  expect(await keys.service.set(ada, "openai", "sk-very-secret")).toEqual({ name: "openai", isSet: true, updatedAt: 5 });
  const [stored] = await storage.read.listSealedKeys({ owners: [ada] });
  expect(JSON.stringify([stored, await keys.service.list(ada)])).not.toContain("very-secret");
  // moved to another owner in the database, or read by a server with another secret: it cannot be opened
  await storage.transaction((tx) => tx.putSealedKey({ owner: eve, name: "openai", sealed: stored?.sealed ?? "", updatedAt: 5 }));
  await expect(keys.forExecution({ taskId: task.id, by: { id: eve, name: "Eve" } })).rejects.toThrow("another secret");
  await expect(open("another").forExecution({ taskId: task.id, by: { id: ada, name: "Ada" } })).rejects.toThrow("SKEIN_CLUSTER_SECRET");
});
