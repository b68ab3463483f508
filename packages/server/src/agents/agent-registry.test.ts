import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drivenAgentKinds } from "@skein/agents/driven";
import type { AgentInfo } from "@skein/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../config/load-config.ts";
import { createAgentRegistry } from "./agent-registry.ts";

let home: string;
let bin: string;
const file = () => join(home, "config.json");
const readAgents = () => JSON.parse(readFileSync(file(), "utf8")).agents as Record<string, Record<string, unknown>>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skein-registry-"));
  bin = join(home, "bin");
  mkdirSync(bin);
});

afterEach(() => {
  // nothing was started
  expect(existsSync(join(home, "ran"))).toBe(false);
});

function addProgram(name: string): string {
  const path = join(bin, name);
  writeFileSync(path, `#!/bin/sh\ntouch ${join(home, "ran")}\n`, { mode: 0o755 });
  return path;
}

function open(config?: object) {
  if (config !== undefined) writeFileSync(file(), JSON.stringify(config));
  return createAgentRegistry({
    config: loadConfig({ home }, {}),
    environment: { PATH: bin },
    access: { environment: {}, endpoints: {} } as never,
    readGeneral: () => ({ compression: {} }) as never,
    redact: (command) => command.map((part) => part.replace(/sk-\w+/, "[redacted]")),
  });
}

async function describeOne(registry: ReturnType<typeof open>, id: string): Promise<AgentInfo | undefined> {
  const adapter = registry.adapters.get(id);
  return adapter && registry.describe(adapter, { refresh: false });
}

async function entryOf(registry: ReturnType<typeof open>, id: string) {
  const entry = (await registry.catalogue()).entries.find((known) => known.id === id);
  if (entry === undefined) throw new Error(`no entry ${id}`);
  return entry;
}

describe("agents of the catalogue", () => {
  it("[X7] are added by id: the command comes from Skein's own data, goes to config.json and is used at once", async () => {
    addProgram("npx");
    const registry = open({ port: 4321, agents: { "acp:mine": { command: ["mine"] } } });
    const entry = await entryOf(registry, "auggie");
    expect([entry.programPath, entry.added, entry.source]).toEqual([join(bin, "npx"), undefined, "npx"]);
    expect(await registry.add({ catalogueId: "auggie", hash: entry.hash })).toBe("acp:auggie");
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
      port: 4321,
      agents: {
        "acp:mine": { command: ["mine"] },
        "acp:auggie": {
          name: "Auggie CLI",
          command: entry.command,
          environment: { AUGMENT_DISABLE_AUTO_UPDATE: "1" },
          catalogue: { id: "auggie", version: entry.version },
        },
      },
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await describeOne(registry, "acp:auggie")).toMatchObject({
      name: "Auggie CLI",
      available: true,
      version: entry.version,
      added: { command: entry.command, variables: ["AUGMENT_DISABLE_AUTO_UPDATE"], enabled: true },
    });
    expect((await entryOf(registry, "auggie")).added).toEqual({ agent: "acp:auggie", version: entry.version });
    // the next server knows it too
    expect([...open().adapters.keys()]).toContain("acp:auggie");
  });

  it.each([
    ["an entry that differs from the one that was shown", { catalogueId: "auggie", hash: "0".repeat(64) }, "catalogue-changed"],
    ["what is not in the catalogue", { catalogueId: "evil", hash: "0".repeat(64) }, "not-in-catalogue"],
    ["what Skein drives by itself", { catalogueId: "gemini", hash: "0".repeat(64) }, "agent-built-in"],
  ])("[X7] %s is not added", async (_, input, code) => {
    const registry = open();
    await expect(registry.add(input)).rejects.toMatchObject({ code });
    expect(existsSync(file())).toBe(false);
  });

  it("an agent of the same name with a command of the user's own is not overwritten", async () => {
    const registry = open({ agents: { "acp:auggie": { command: ["my-auggie"] } } });
    const { hash } = await entryOf(registry, "auggie");
    await expect(registry.add({ catalogueId: "auggie", hash })).rejects.toMatchObject({ code: "agent-exists" });
    expect(readAgents()["acp:auggie"]).toEqual({ command: ["my-auggie"] });
  });

  it("one of an earlier version keeps it, is reported as outdated, and keeps the user's variables when updated", async () => {
    addProgram("npx");
    const catalogue = { id: "auggie", version: "0.1.0" };
    const environment = { AUGMENT_API_URL: "https://gateway.example" };
    const registry = open({ agents: { "acp:auggie": { command: ["npx", "--yes", "x@0.1.0"], environment, models: ["m"], catalogue } } });
    const { hash, version, command } = await entryOf(registry, "auggie");
    const before = await describeOne(registry, "acp:auggie");
    expect([before?.version, before?.added?.catalogue]).toEqual(["0.1.0", { ...catalogue, latest: version }]);
    await registry.add({ catalogueId: "auggie", hash });
    expect(readAgents()["acp:auggie"]).toMatchObject({ command, models: ["m"], environment });
    expect((await describeOne(registry, "acp:auggie"))?.added?.catalogue).toEqual({ id: "auggie", version });
  });

  it("report what is missing: npx, or the program with its source", async () => {
    const registry = open();
    for (const id of ["auggie", "kimi"]) await registry.add({ catalogueId: id, hash: (await entryOf(registry, id)).hash });
    expect((await describeOne(registry, "acp:auggie"))?.hint).toBe(
      "Auggie CLI is started by npx, which is not on this machine. It is part of Node.js: https://nodejs.org",
    );
    expect((await describeOne(registry, "acp:kimi"))?.hint).toMatch(
      /^Kimi CLI is not installed: there is no program “kimi” in your PATH\. Get it from https:/,
    );
    addProgram("kimi");
    expect(await describeOne(registry, "acp:kimi")).toMatchObject({ available: true, path: join(bin, "kimi") });
  });
});

describe("added agents", () => {
  const config = { agents: { "acp:mine": { command: ["mine", "--key=sk-secret"], environment: { MINE_TOKEN: "t" } } } };

  it("[X11] report their command without secrets, and only the names of their variables", async () => {
    addProgram("mine");
    const registry = open(config);
    expect((await describeOne(registry, "acp:mine"))?.added).toEqual({
      command: ["mine", "--key=[redacted]"],
      variables: ["MINE_TOKEN"],
      enabled: true,
    });
    expect(registry.listVariables()).toContainEqual({ MINE_TOKEN: "t" });
  });

  it("can be disabled and enabled again", async () => {
    addProgram("mine");
    const registry = open(config);
    registry.setEnabled("acp:mine", false);
    expect(readAgents()["acp:mine"]).toMatchObject({ enabled: false, environment: { MINE_TOKEN: "t" } });
    const off = await describeOne(registry, "acp:mine");
    expect([off?.available, off?.hint, off?.added?.enabled]).toEqual([
      false,
      "mine is turned off. Turn it on in Settings → Agents.",
      false,
    ]);
    await expect(registry.find("acp:mine")?.createLaunch({} as never)).rejects.toThrow("turned off");
    registry.setEnabled("acp:mine", true);
    expect(readAgents()["acp:mine"]).toEqual(config.agents["acp:mine"]);
    expect((await describeOne(registry, "acp:mine"))?.available).toBe(true);
  });

  it("can be removed: they are not listed any more, and their logs are still read", async () => {
    const registry = open({ ...config, port: 1 });
    registry.remove("acp:mine");
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({ port: 1, agents: {} });
    expect(registry.adapters.has("acp:mine")).toBe(false);
    const decoder = await registry.find("acp:mine")?.createDecoder({ executionId: "exe_1" as never });
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "still here" } };
    const line = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
    expect(decoder?.decode({ text: line, offset: 0, at: 1 })).toMatchObject([{ type: "text", text: "still here" }]);
    await expect(registry.find("acp:mine")?.createLaunch({} as never)).rejects.toThrow("This agent was removed.");
  });

  it.each(["claude-code", "native", "acp:other"])("%s cannot be removed or disabled", (id) => {
    const registry = open(config);
    expect(() => registry.remove(id)).toThrow("was not added by you");
    expect(() => registry.setEnabled(id, false)).toThrow("was not added by you");
  });

  it("manual changes of config.json apply when it is reloaded, and an unreadable file changes nothing", async () => {
    const registry = open(config);
    const claude = registry.adapters.get("claude-code");
    writeFileSync(file(), JSON.stringify({ agents: { "command:llm": { command: ["llm"] } } }));
    expect(registry.reload()).toBeUndefined();
    expect([...registry.adapters.keys()]).toEqual(["native", ...drivenAgentKinds.map(({ id }) => id), "command:llm"]);
    // what has not changed keeps what it has found out
    expect(registry.adapters.get("claude-code")).toBe(claude);
    writeFileSync(file(), "{");
    expect(registry.reload()).toMatchObject({ code: "config-not-json", path: expect.stringContaining("config.json") });
    expect(registry.adapters.has("command:llm")).toBe(true);
  });
});
