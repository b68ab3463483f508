import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneralSettings, Settings } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { createTestDatabases, runOnServer, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { listNodes } from "./support/nodes.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder } from "./support/repository.ts";

const read = (server: RealServer) => server.api.request<Settings>("GET", "/api/settings");
const change = (server: RealServer, changes: object) => server.api.request<GeneralSettings>("PATCH", "/api/settings/general", changes);
const untilIs = (server: RealServer, expected: object) =>
  vi.waitFor(async () => expect(await read(server)).toMatchObject(expected), { timeout: 60_000, interval: 50 });
const openai = ({ providers }: Settings) => providers.find(({ name }) => name === "openai");

async function start(name: string, url: string, config: object, secret?: string): Promise<RealServer> {
  const home = newFolder("home");
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const shared = secret === undefined ? {} : { SKEIN_CLUSTER_SECRET: secret };
  return startRealServer({ home, environment: { SKEIN_DATABASE_URL: url, SKEIN_NODE_NAME: name, ...shared } });
}

describe.skipIf(testServerUrl === undefined)("[W2] settings of several servers", () => {
  const databases = createTestDatabases();

  test("are in the database: those of the first server's file hold for all, and a change at one holds at the others, also after a restart", {
    timeout: 240_000,
  }, async () => {
    const url = await databases.create();
    const secret = "a secret of the servers, and of nobody else";
    const apiKey = "sk-first-4711";
    const first = await start(
      "first",
      url,
      { maxSteps: 7, limits: { running: 3 }, defaults: { permissionMode: "ask" }, providers: { openai: { apiKey } } },
      secret,
    );
    const second = await start("second", url, { maxSteps: 9, systemPrompt: "Of the second's file" }, secret);
    const known = { general: { maxSteps: 7, systemPrompt: "", limits: { running: 3 } }, defaults: { permissionMode: "ask" } };
    for (const server of [first, second]) expect(await read(server)).toMatchObject(known);
    expect(openai(await read(second))).toMatchObject({ isSet: true, source: "settings" });
    expect(readFileSync(join(second.home, "logs", "server.log"), "utf8")).toContain("settings of config.json are not used");

    await change(second, { limits: { perAgent: { codex: 1 } } });
    await untilIs(first, { general: { limits: { running: 3, perAgent: { codex: 1 } } } });
    // at the same moment: neither change is lost
    await Promise.all([change(first, { maxSteps: 50 }), change(second, { toolTimeoutMinutes: 5 })]);
    for (const server of [first, second]) await untilIs(server, { general: { maxSteps: 50, toolTimeoutMinutes: 5 } });
    await first.api.request("PATCH", "/api/settings/defaults", { permissionMode: "full" });
    await untilIs(second, { defaults: { permissionMode: "full" } });

    const stored = JSON.stringify(await runOnServer(url, "SELECT * FROM shared_settings"));
    expect(stored).toContain("key openai");
    expect(stored).not.toContain(apiKey);
    await second.api.request("DELETE", "/api/settings/providers/openai");
    await vi.waitFor(async () => expect(openai(await read(first))?.isSet).toBe(false), { timeout: 60_000 });
    // the file of the first still has it
    await first.stop();
    await first.start();
    expect(openai(await read(first))?.isSet).toBe(false);
    expect(await read(first)).toMatchObject({ general: { maxSteps: 50, toolTimeoutMinutes: 5 }, defaults: { permissionMode: "full" } });
    expect(await listNodes(first)).toHaveLength(2);
  });

  test("keys stay with each server as long as the servers share no secret", { timeout: 240_000 }, async () => {
    const url = await databases.create();
    const [first, second] = [await start("first", url, {}), await start("second", url, {})];
    await first.api.request("PUT", "/api/settings/providers/openai", { apiKey: "sk-first-4711" });
    await change(first, { maxSteps: 5 });
    await untilIs(second, { general: { maxSteps: 5 } });
    expect(openai(await read(first))?.isSet).toBe(true);
    expect(openai(await read(second))?.isSet).toBe(false);
    expect(JSON.parse(readFileSync(join(first.home, "config.json"), "utf8"))).toEqual({
      providers: { openai: { apiKey: "sk-first-4711" } },
    });
  });
});
