import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, loadConfig } from "./load-config.ts";

const newHome = (config?: string): string => {
  const home = mkdtempSync(join(tmpdir(), "skein-config-"));
  if (config !== undefined) writeFileSync(join(home, "config.json"), config);
  return home;
};

describe("settings", () => {
  test("defaults: loopback, port 4180", () => {
    const home = newHome();
    expect(loadConfig({ home }, {})).toMatchObject({ home, host: "127.0.0.1", port: 4180, behindProxy: false });
  });

  test("flags override the environment, the environment overrides the file", () => {
    const home = newHome('{"port": 1, "host": "localhost"}');
    expect(loadConfig({ home }, {}).port).toBe(1);
    expect(loadConfig({}, { SKEIN_HOME: home, SKEIN_PORT: "2" })).toMatchObject({ port: 2, host: "localhost" });
    expect(loadConfig({ home, port: "3" }, { SKEIN_PORT: "2" }).port).toBe(3);
  });

  test.each([
    ["{", /not valid JSON/],
    ['{"port": "many"}', /config\.json: port/],
    ['{"prot": 1}', /prot/],
    ['{"native": {"reasoningEffort": "most"}}', /native\.reasoningEffort/],
  ])("a file that cannot be used is refused with its place: %s", (text, message) => {
    const home = newHome(text);
    expect(() => loadConfig({ home }, {})).toThrow(ConfigError);
    expect(() => loadConfig({ home }, {})).toThrow(message);
  });

  test("[X7] models from scripts are a developer setting, off by default, in the file or the environment", () => {
    const on = newHome('{"developer": {"scriptedModels": true}}');
    expect(loadConfig({ home: newHome() }, {}).developer).toBeUndefined();
    expect(loadConfig({ home: on }, { SKEIN_SCRIPTED_MODELS: "" }).developer).toEqual({ scriptedModels: true });
    expect(loadConfig({ home: on }, { SKEIN_SCRIPTED_MODELS: "0" }).developer).toEqual({ scriptedModels: false });
    expect(loadConfig({ home: newHome() }, { SKEIN_SCRIPTED_MODELS: "1" }).developer).toEqual({ scriptedModels: true });
    expect(() => loadConfig({ home: newHome() }, { SKEIN_SCRIPTED_MODELS: "yes" })).toThrow(/SKEIN_SCRIPTED_MODELS/);
  });

  test("an invalid port is reported with its variable", () => {
    expect(() => loadConfig({ home: newHome() }, { SKEIN_PORT: "99999" })).toThrow(/SKEIN_PORT/);
  });
});
