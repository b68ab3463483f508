import { describe, expect, it } from "vitest";
import { readCatalogue } from "./catalogue.ts";

const linux = { platform: "linux", arch: "x64" } as const;

describe("the catalogue of ACP agents", () => {
  it("[X7] names no shell, no path and no address to run: npx and uvx with one exact version, or a program of the user's own", () => {
    const { agents } = readCatalogue(linux);
    expect(agents.length).toBeGreaterThan(5);
    for (const { id, source, command, version, environment } of agents) {
      const [program, ...args] = command;
      expect([id, program]).toEqual([id, expect.stringMatching(/^[a-z][a-z0-9-]*$/)]);
      const pinned = source === "npx" ? args[1] : source === "uvx" ? args[0] : `@${version}`;
      expect([id, pinned]).toEqual([id, expect.stringMatching(/(?:@|==)\d[\w.+-]*$/)]);
      // variables that change how a program is loaded would run code
      const names = Object.keys(environment).filter((name) => /^(?:PATH|NODE_OPTIONS|LD_|DYLD_|PYTHON)/i.test(name));
      expect([id, names]).toEqual([id, []]);
    }
    expect(new Set(agents.map(({ id }) => id)).size).toBe(agents.length);
  });

  it("has how each is started, and what to install where Skein does not download it", () => {
    const { agents, origin } = readCatalogue(linux);
    const find = (id: string) => agents.find((agent) => agent.id === id);
    expect(find("qwen-code")).toMatchObject({
      agentId: "acp:qwen-code",
      source: "npx",
      command: ["npx", "--yes", expect.stringMatching(/^@qwen-code\/qwen-code@\d/), "--acp", "--experimental-skills"],
    });
    expect(find("kimi")).toMatchObject({ source: "program", command: ["kimi", "acp"], download: expect.stringMatching(/^https:.*linux/) });
    expect(origin).toEqual({
      repository: "https://github.com/agentclientprotocol/registry",
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  it("[X8] leaves what Skein drives by itself to Skein, which keeps it from a repository's settings", () => {
    const builtIn = readCatalogue(linux).agents.flatMap(({ id, builtIn }) => (builtIn === undefined ? [] : [`${id} ${builtIn}`]));
    expect(builtIn.sort()).toEqual(["claude-code-acp claude-code", "codex-acp codex", "gemini gemini", "opencode opencode"]);
  });

  it("has what runs on this kind of machine", () => {
    const windows = readCatalogue({ platform: "win32", arch: "x64" }).agents;
    expect(windows.filter(({ source }) => source === "program")).toEqual([]);
    expect(windows.length).toBeGreaterThan(3);
  });

  it("[X7] an entry's hash covers its command, its variables and its version", () => {
    const hashes = [linux, { platform: "linux", arch: "arm64" } as const].map((machine) =>
      readCatalogue(machine).agents.map(({ hash }) => hash),
    );
    expect(new Set(hashes[0]).size).toBe(hashes[0]?.length);
    // the same command, downloaded for another processor
    expect(hashes[1]).toEqual(hashes[0]);
  });
});
