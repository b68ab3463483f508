// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a definition names a variable
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type McpServerDefinition, projectIdSchema } from "@skein/contracts";
import { createLocalHost } from "@skein/host";
import { beforeEach, describe, expect, test } from "vitest";
import { TrustFileError } from "../data-dir/trust-file.ts";
import { hashMcpServer } from "./hash-mcp-server.ts";
import { openMcpTrustFile } from "./mcp-trust-store.ts";
import { resolveMcpServers } from "./resolve-mcp-servers.ts";

const projectId = projectIdSchema.parse("prj_1");
const other = projectIdSchema.parse("prj_2");
const definition: McpServerDefinition = { type: "stdio", name: "demo", command: "node", args: ["server.js"], env: {} };
const trusted = { projectId, name: "demo", hash: hashMcpServer(definition), tools: { echo: "1" }, trustedAt: 1 };

let home = "";
let directory = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "skein-trust-"));
  directory = mkdtempSync(join(tmpdir(), "skein-trust-repo-"));
  writeServers({ demo: { command: "node", args: ["server.js"] } });
});

const file = () => join(home, "mcp-trust.json");
const writeServers = (mcpServers: object) => writeFileSync(join(directory, ".mcp.json"), JSON.stringify({ mcpServers }));

function resolve(input: { config?: McpServerDefinition[]; project?: typeof projectId } = {}) {
  const { config = [], project = projectId } = input;
  const trust = openMcpTrustFile(file());
  const files = createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" }).workspaces;
  return resolveMcpServers({ config, files, directory, projectId: project, trust, environment: {} }, { KEY: "k" });
}

describe("trust in a project's servers", () => {
  test("[X8] an untrusted server is not usable", async () => {
    expect(await resolve()).toEqual({
      usable: [],
      needTrust: [{ name: "demo", reason: "new", different: [] }],
      problems: [],
    });
  });

  test("[X8] a trusted server is usable, with the tools that it had", async () => {
    openMcpTrustFile(file()).trust(trusted);
    expect(await resolve()).toEqual({
      usable: [{ definition, trustedTools: { echo: "1" }, trustedFiles: {} }],
      needTrust: [],
      problems: [],
    });
  });

  test("[X8] trust holds for this project only, and until it is revoked", async () => {
    const store = openMcpTrustFile(file());
    store.trust(trusted);
    expect((await resolve({ project: other })).usable).toEqual([]);
    expect(store.revoke({ projectId: other, name: "demo" })).toBe(false);
    expect(store.revoke({ projectId, name: "demo" })).toBe(true);
    expect((await resolve()).needTrust).toMatchObject([{ reason: "new" }]);
  });

  test.each([
    [{ command: "sh", args: ["server.js"] }],
    [{ command: "node", args: ["server.js", "--evil"] }],
    [{ command: "node", args: ["server.js"], env: { NODE_OPTIONS: "--require ./evil.js" } }],
    [{ type: "http", url: "https://evil.test" }],
  ])("[X8] a definition that changed asks again: %j", async (demo) => {
    openMcpTrustFile(file()).trust(trusted);
    writeServers({ demo });
    const { usable, needTrust } = await resolve();
    expect([usable, needTrust]).toEqual([[], [expect.objectContaining({ name: "demo", reason: "changed" })]]);
  });

  test("[X8] a server of the user's own settings overrides one of the same name, and needs no trust", async () => {
    const own: McpServerDefinition = { type: "http", name: "demo", url: "https://mine.test", headers: { k: "${KEY}" } };
    const { usable, needTrust } = await resolve({ config: [own] });
    expect(usable).toEqual([{ definition: { ...own, headers: { k: "k" } }, trustedTools: null }]);
    expect(needTrust).toEqual([]);
  });

  test("[X11] a variable that the project may not have makes its server a problem", async () => {
    const demo = { command: "node", args: ["${KEY}"] };
    writeServers({ demo });
    const hash = hashMcpServer({ ...definition, args: ["${KEY}"] });
    openMcpTrustFile(file()).trust({ ...trusted, hash });
    expect(await resolve()).toEqual({
      usable: [],
      needTrust: [],
      problems: [{ code: "mcp-variables-missing", server: "demo", variables: ["KEY"] }],
    });
  });
});

describe("[X16] trust in the files that a server runs", () => {
  const write = (path: string, content: string) => writeFileSync(join(directory, path), content);
  const read = (...paths: string[]) =>
    Object.fromEntries(
      paths.map((path) => [
        path,
        createHash("sha256")
          .update(readFileSync(join(directory, path)))
          .digest("hex"),
      ]),
    );

  test("a file that changed, one that is new, and what was trusted before files were covered ask again", async () => {
    write("server.js", 'import "./lib.js"');
    openMcpTrustFile(file()).trust(trusted);
    expect((await resolve()).needTrust).toEqual([{ name: "demo", reason: "changed", different: ["server.js"] }]);
    write("lib.js", "");
    openMcpTrustFile(file()).trust({ ...trusted, files: read("server.js", "lib.js") });
    expect((await resolve()).usable).toMatchObject([{ trustedFiles: read("server.js", "lib.js") }]);
    write("lib.js", "changed");
    expect((await resolve()).needTrust).toEqual([{ name: "demo", reason: "changed", different: ["lib.js"] }]);
    write("lib.js", "");
    // node takes it for the same name
    write("lib.js.json", "");
    expect((await resolve()).needTrust).toMatchObject([{ different: ["lib.js.json"] }]);
  });

  test("files of two versions are not trusted together, each version is", async () => {
    write("server.js", 'import "./lib.js"');
    write("lib.js", "one");
    const first = read("server.js", "lib.js");
    write("server.js", 'import "./lib.js" // two');
    write("lib.js", "two");
    const second = read("server.js", "lib.js");
    const store = openMcpTrustFile(file());
    store.trust({ ...trusted, files: first });
    store.trust({ ...trusted, files: second, trustedAt: 2 });
    expect((await resolve()).usable).toHaveLength(1);
    write("lib.js", "one");
    expect((await resolve()).needTrust).toEqual([{ name: "demo", reason: "changed", different: ["lib.js"] }]);
    write("server.js", 'import "./lib.js"');
    expect((await resolve()).usable).toHaveLength(1);
    expect(store.revoke({ projectId, name: "demo" })).toBe(true);
    expect((await resolve()).needTrust).toMatchObject([{ reason: "new" }]);
  });

  test("a file that is named by a variable counts", async () => {
    write("other.js", "");
    writeServers({ demo: { command: "node", args: ["${NOT_SET:-other}.js"] } });
    const hash = hashMcpServer({ ...definition, args: ["${NOT_SET:-other}.js"] });
    openMcpTrustFile(file()).trust({ ...trusted, hash });
    expect((await resolve()).needTrust).toMatchObject([{ different: ["other.js"] }]);
  });
});

describe("the trust file", () => {
  test("[X3] is private, whole, and keeps what other projects trust", () => {
    const store = openMcpTrustFile(file());
    store.trust(trusted);
    store.trust({ ...trusted, projectId: other });
    store.trust({ ...trusted, tools: {}, trustedAt: 2 });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["mcp-trust.json"]);
    const reopened = openMcpTrustFile(file());
    expect(reopened.listTrusted({ projectId })).toEqual([{ ...trusted, tools: {}, trustedAt: 2 }]);
    expect(reopened.listTrusted({ projectId: other })).toHaveLength(1);
  });

  test.each(["", "{", "[]", '{"version":2,"trusted":[]}', '{"version":1,"trusted":[{"name":"demo"}]}'])(
    "[Q16] when it cannot be read nothing is trusted, and it is not overwritten: %s",
    async (text) => {
      writeFileSync(file(), text, { mode: 0o600 });
      const { usable, needTrust, problems } = await resolve();
      expect([usable, needTrust.length]).toEqual([[], 1]);
      expect(problems).toEqual([{ code: "trust-unreadable", path: expect.stringMatching(/mcp-trust\.json$/) }]);
      expect(() => openMcpTrustFile(file()).trust(trusted)).toThrow(TrustFileError);
      expect(readFileSync(file(), "utf8")).toBe(text);
    },
  );
});
