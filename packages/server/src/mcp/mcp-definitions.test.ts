// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a definition names a variable
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpServerDefinition } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../config/load-config.ts";
import { expandMcpServer } from "./expand-mcp-server.ts";
import { hashMcpServer } from "./hash-mcp-server.ts";
import { readProjectMcpServers } from "./read-project-mcp-servers.ts";

const makePipe = "mkfifo";
const files = createLocalHost({ home: tmpdir(), searchPath: undefined, readRunnerSecret: () => "secret" }).workspaces;
const newFolder = () => mkdtempSync(join(tmpdir(), "skein-mcp-"));

function folderWith(content: unknown): string {
  const folder = newFolder();
  writeFileSync(join(folder, ".mcp.json"), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}

const stdio: McpServerDefinition = { type: "stdio", name: "s", command: "node", args: ["a.js"], env: { A: "1", B: "2" } };
const http: McpServerDefinition = { type: "http", name: "h", url: "https://example.test/mcp", headers: { k: "v" } };

describe(".mcp.json", () => {
  test("[N1] the common forms are read", async () => {
    const mcpServers = {
      plain: { command: "npx", args: ["-y", "server"], env: { A: "1" } },
      bare: { command: "server" },
      typed: { type: "stdio", command: "server", timeout: 5, alwaysAllow: ["x"] },
      web: { type: "http", url: "https://example.test", headers: { authorization: "${TOKEN}" } },
      "streamable web": { type: "streamable-http", url: "http://127.0.0.1:1" },
      untyped: { url: "https://example.test" },
      off: { command: "server", disabled: true },
      天气: { command: "server" },
    };
    const stdioOf = (name: string, command = "server") => ({ type: "stdio", name, command, args: [], env: {} });
    expect(await readProjectMcpServers(files, folderWith({ mcpServers }))).toEqual({
      servers: [
        { type: "stdio", name: "plain", command: "npx", args: ["-y", "server"], env: { A: "1" } },
        stdioOf("bare"),
        stdioOf("typed"),
        { type: "http", name: "web", url: "https://example.test", headers: { authorization: "${TOKEN}" } },
        { type: "http", name: "streamable web", url: "http://127.0.0.1:1", headers: {} },
        { type: "http", name: "untyped", url: "https://example.test", headers: {} },
        stdioOf("天气"),
      ],
      problems: [],
    });
    expect(await readProjectMcpServers(files, newFolder())).toEqual({ servers: [], problems: [] });
  });

  test.each([
    ["", /not valid JSON/],
    ["{", /not valid JSON/],
    ["null", /no mcpServers/],
    ["{}", /no mcpServers/],
    ['{"mcpServers":[]}', /not an object/],
    ['{"mcpServers":{"a":null}}', /"a" cannot be used/],
    ['{"mcpServers":{"a":{}}}', /"a" cannot be used: command/],
    ['{"mcpServers":{"a":{"command":["sh"]}}}', /command/],
    ['{"mcpServers":{"a":{"command":"sh","args":"-c"}}}', /args/],
    ['{"mcpServers":{"a":{"command":"sh","env":{"A":1}}}}', /env\.A/],
    ['{"mcpServers":{"a":{"type":"sse","url":"https://x.test"}}}', /"sse" is outdated/],
    ['{"mcpServers":{"a":{"type":"ws","url":"wss://x.test"}}}', /neither "stdio" nor "http"/],
    ['{"mcpServers":{"__proto__":{"command":"sh"}}}', /"__proto__" cannot be used: name/],
    ['{"mcpServers":{"a\\u202eb":{"command":"sh"}}}', /cannot be used: name/],
    [`{"mcpServers":{"${"x".repeat(70)}":{"command":"sh"}}}`, /cannot be used: name/],
    [" ".repeat(1024 * 1024 + 1), /larger than/],
  ])("[X8] what cannot be used is said, not thrown: %.60s", async (text, problem) => {
    const { servers, problems } = await readProjectMcpServers(files, folderWith(text));
    expect(servers).toEqual([]);
    expect(problems.map(formatText)).toEqual([expect.stringMatching(problem)]);
  });

  test("[X8] one bad server does not hide the others", async () => {
    const folder = folderWith({ mcpServers: { bad: {}, good: { command: "server" } } });
    const { servers, problems } = await readProjectMcpServers(files, folder);
    expect([servers.map((server) => server.name), problems.length]).toEqual([["good"], 1]);
  });

  test("[X8] a link, a folder and a pipe are not read", async () => {
    const secret = join(folderWith({ mcpServers: { leaked: { command: "x" } } }), ".mcp.json");
    const [link, folder, pipe] = [newFolder(), newFolder(), newFolder()];
    symlinkSync(secret, join(link, ".mcp.json"));
    mkdirSync(join(folder, ".mcp.json"));
    execFileSync(makePipe, [join(pipe, ".mcp.json")]);
    for (const [path, problem] of [
      [link, /link/],
      [folder, /regular file/],
      [pipe, /regular file/],
    ] as const) {
      const { servers, problems } = await readProjectMcpServers(files, path);
      expect([servers, problems.map(formatText)]).toEqual([[], [expect.stringMatching(problem)]]);
    }
  });
});

describe("the user's own servers", () => {
  test("[N1] are configured in config.json in the same format", () => {
    const home = newFolder();
    writeFileSync(join(home, "config.json"), JSON.stringify({ mcpServers: { s: { command: "server" } } }));
    expect(loadConfig({ home }, {}).mcpServers).toEqual([{ type: "stdio", name: "s", command: "server", args: [], env: {} }]);
    expect(loadConfig({ home: newFolder() }, {}).mcpServers).toBeUndefined();
  });

  test("[N1] an error in them is reported with its location", () => {
    const home = newFolder();
    writeFileSync(join(home, "config.json"), JSON.stringify({ mcpServers: { s: { type: "sse", url: "https://x.test" } } }));
    expect(() => loadConfig({ home }, {})).toThrow(/config\.json: mcpServers: The MCP server "s" cannot be used: .*outdated/);
  });
});

describe("the hash of a server definition", () => {
  test("[X8] covers everything that decides what runs", () => {
    const different: McpServerDefinition[] = [
      stdio,
      { ...stdio, command: "node2" },
      { ...stdio, args: ["a.js", ""] },
      { ...stdio, args: ["a.js b.js"] },
      { ...stdio, args: ["a.js", "b.js"] },
      { ...stdio, args: ["b.js", "a.js"] },
      { ...stdio, env: { A: "1" } },
      { ...stdio, env: { A: "2", B: "1" } },
      { ...stdio, env: { A: "1", B: "2", PATH: "." } },
      http,
      { ...http, url: "https://example.test/mcp/" },
      { ...http, headers: {} },
    ];
    expect(new Set(different.map(hashMcpServer)).size).toBe(different.length);
  });

  test("[X8] does not change with the order of variables", () => {
    expect(hashMcpServer({ ...stdio, env: { B: "2", A: "1" } })).toBe(hashMcpServer(stdio));
  });
});

describe("variables in a definition", () => {
  const environment = { HOME: "/home/p", LANG: "C" };

  test("[X11] come from the given environment, or have a value of their own", () => {
    const definition: McpServerDefinition = {
      ...stdio,
      command: "${HOME}/bin/x",
      args: ["${LANG}-${LANG}", "$HOME", "${NAME:-a b}", "${EMPTY:-}"],
      env: { X: "${HOME}" },
    };
    expect(expandMcpServer(definition, environment)).toEqual({
      ok: true,
      definition: { ...stdio, command: "/home/p/bin/x", args: ["C-C", "$HOME", "a b", ""], env: { X: "/home/p" } },
    });
  });

  test("[X11] others are neither revealed nor replaced by an empty string", () => {
    const asking: McpServerDefinition = { ...http, headers: { k: "${ANTHROPIC_API_KEY}${__proto__}" } };
    expect(expandMcpServer(asking, environment)).toEqual({
      ok: false,
      problem: { code: "mcp-variables-missing", server: asking.name, variables: ["ANTHROPIC_API_KEY", "__proto__"] },
    });
  });

  test("[X8] expanded values are not expanded again", () => {
    const expanded = expandMcpServer({ ...stdio, args: ["${A}"] }, { A: "${B}", B: "secret" });
    expect(expanded).toMatchObject({ definition: { args: ["${B}"] } });
  });

  test.each(["file:///etc/passwd", "javascript:0", "/mcp", ""])("[X8] %j is not a web address", (url) => {
    expect(expandMcpServer({ ...http, url }, environment)).toMatchObject({ ok: false });
  });
});
