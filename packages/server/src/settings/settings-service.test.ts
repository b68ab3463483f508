import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../config/load-config.ts";
import { createModelDirectory } from "../models/describe-models.ts";
import { accessFor, readModelAccess } from "../models/model-access.ts";
import { createForgeConnections } from "../pull-requests/forge-connections.ts";
import { createSettingsService } from "./settings-service.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skein-settings-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const key = "sk-ant-secret-0123";
const file = () => join(home, "config.json");

function open(environment: NodeJS.ProcessEnv = {}) {
  const config = loadConfig({ home }, {});
  const access = readModelAccess(config, environment);
  const forges = createForgeConnections({ home, config, environment });
  return {
    settings: createSettingsService({ home, config, environment, access, forges, checkSandbox: async () => ({ state: "supported" }) }),
    access,
    forges,
  };
}

describe("keys", () => {
  it("[X11] a key is stored in a file that only its owner can read, used at once, and never returned", async () => {
    const { settings, access } = open();
    const directory = createModelDirectory(access);
    const before = (await directory()).filter(({ id }) => id.startsWith("anthropic/"));
    const saved = await settings.setProviderKey("anthropic", key);
    expect(saved).toEqual({ name: "anthropic", label: "Anthropic", source: "settings", isSet: true, variable: "ANTHROPIC_API_KEY" });
    expect(JSON.stringify([saved, await settings.get()])).not.toContain(key);
    expect(accessFor("anthropic/claude", access).environment).toEqual({ ANTHROPIC_API_KEY: key });
    expect(accessFor("openai/gpt", access).environment).toEqual({});
    const after = (await directory()).filter(({ id }) => id.startsWith("anthropic/"));
    expect([before.length, after.length > 0]).toEqual([0, true]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(loadConfig({ home }, {}).providers?.anthropic?.apiKey).toBe(key);
  });

  it("other settings in config.json are kept, also when the key is removed", async () => {
    const written = { port: 4999, providers: { anthropic: { baseUrl: "https://proxy.example" }, openai: { apiKey: "other" } } };
    writeFileSync(file(), JSON.stringify(written), { mode: 0o644 });
    const { settings, access } = open();
    await settings.setProviderKey("anthropic", key);
    await settings.removeProviderKey("anthropic");
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual(written);
    expect(access.environment.ANTHROPIC_API_KEY).toBeUndefined();
    expect((await settings.get()).providers.map(({ source }) => source)).toEqual(["none", "settings", "none"]);
  });

  it("the environment overrides the settings", async () => {
    const { settings, access } = open({ GEMINI_API_KEY: "from-environment" });
    expect(await settings.setProviderKey("gemini", key)).toMatchObject({ source: "environment", isSet: true });
    expect(access.environment.GEMINI_API_KEY).toBe("from-environment");
  });

  it("[Q16] a config.json that cannot be read is not overwritten, and the message does not contain the key", async () => {
    const { settings } = open();
    writeFileSync(file(), "{ my notes");
    const failure = await settings.setProviderKey("openai", key).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "config-unusable" });
    expect(String(failure)).not.toContain(key);
    expect(readFileSync(file(), "utf8")).toBe("{ my notes");
  });
});

describe("tokens of forges", () => {
  const token = "glpat-secret-0123456789";

  it("[G6, X11] a token goes in, is used for its host alone, is kept in a file of its owner alone, and is never given out", async () => {
    const { settings, forges } = open({ GH_TOKEN: "from-environment" });
    const set = await settings.setForgeToken("git.example.com", { kind: "gitlab", token });
    expect(set).toEqual({ host: "git.example.com", kind: "gitlab", source: "settings", isSet: true });
    const all = await settings.get();
    expect(all.forges).toEqual([{ host: "github.com", kind: "github", source: "environment", isSet: false }, set]);
    expect(JSON.stringify([set, all])).not.toContain(token);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(forges.listSecrets()).toContain(token);
    const recognised = await forges.recognise({ host: "git.example.com", path: "group/app", protocol: "ssh" });
    expect(recognised).toEqual({ kind: "gitlab", host: "git.example.com", path: "group/app", apiUrl: "https://git.example.com/api/v4" });
    expect((await open().settings.get()).forges).toContainEqual(set);
    await settings.removeForgeToken("git.example.com");
    expect(readFileSync(file(), "utf8")).not.toContain(token);
    expect((await settings.get()).forges[1]).toEqual({ host: "git.example.com", kind: "gitlab", source: "none", isSet: false });
  });
});

describe("defaults", () => {
  it("are stored, read at the next start, and can be reset", async () => {
    const { settings } = open();
    expect(settings.defaults()).toEqual({ agent: null, model: null, permissionMode: null });
    await settings.setDefaults({ agent: "codex", permissionMode: "ask" });
    expect(open().settings.defaults()).toEqual({ agent: "codex", model: null, permissionMode: "ask" });
    await settings.setDefaults({ agent: null });
    expect(open().settings.defaults()).toEqual({ agent: null, model: null, permissionMode: "ask" });
  });
});

describe("general settings", () => {
  const model = () => open().settings.general().compression.model;

  it("[R10] native.summaryModel is still read; compression.model overrides it, also when it leaves the choice to the server", async () => {
    writeFileSync(file(), JSON.stringify({ native: { summaryModel: "openai/old" } }));
    expect(model()).toBe("openai/old");
    await open().settings.setGeneral({ compression: { auto: false } });
    expect(model()).toBe("openai/old");
    await open().settings.setGeneral({ compression: { model: "openai/new" } });
    expect(model()).toBe("openai/new");
    expect(await open().settings.setGeneral({ compression: { model: null } })).toMatchObject({ compression: { model: null, auto: false } });
    expect(model()).toBeNull();
  });

  it("only what was changed is written: the rest follows the defaults of the next version", async () => {
    await open().settings.setGeneral({ compression: { triggerRatio: 0.5 }, mergeMode: "off" });
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({ compression: { triggerRatio: 0.5 }, mergeMode: "off" });
  });
});
