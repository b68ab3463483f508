import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../testing/spawn-skein.ts";

const readAgents = ({ home }: Sandbox) => JSON.parse(readFileSync(path.join(home, "config.json"), "utf8")).agents;

describe("skein agents", () => {
  it("[X7] adds an agent of the catalogue with the shown command, lists it, and removes it", async () => {
    await using sandbox = createSandbox();
    const catalogue = await sandbox.skein(["agents", "catalogue"]).ended;
    expect([catalogue.code, catalogue.stderr]).toEqual([0, ""]);
    expect(catalogue.stdout).toMatch(/qwen-code +Qwen Code +\S+ +.* npx --yes @qwen-code\/qwen-code@\S+ --acp/);
    expect(catalogue.stdout).toMatch(/gemini +Gemini CLI +\S+ +part of Skein \(gemini\)/);
    const added = await sandbox.skein(["agents", "add", "qwen-code"]).ended;
    expect(added.stdout).toMatch(/^Added Qwen Code \S+ as acp:qwen-code\. It runs: npx --yes @qwen-code/);
    const agent = readAgents(sandbox)["acp:qwen-code"];
    expect(agent).toMatchObject({
      command: ["npx", "--yes", expect.stringContaining("@qwen-code/qwen-code@"), "--acp", "--experimental-skills"],
    });
    expect((await sandbox.skein(["agents"]).ended).stdout).toMatch(/acp:qwen-code +Qwen Code/);
    await sandbox.skein(["agents", "disable", "acp:qwen-code"]).ended;
    expect((await sandbox.skein(["agents"]).ended).stdout).toMatch(/acp:qwen-code +Qwen Code +not available +Qwen Code is turned off/);
    const removed = await sandbox.skein(["agents", "remove", "acp:qwen-code"]).ended;
    expect([removed.code, readAgents(sandbox)]).toEqual([0, {}]);
    const unknown = await sandbox.skein(["agents", "add", "frobnicate"]).ended;
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("The catalogue has no agent “frobnicate”.")]);
  });

  it("[X7, X11] adds a custom program to config.json, with a secret that is in no command line, and a running server uses it", async () => {
    await using sandbox = createSandbox();
    const server = sandbox.skein(["serve", "--port", "0", "--no-open"]);
    await server.printed(/Open\s+http/);
    const args = ["--name", "My agent", "--env", "MY_URL=https://x.example", "--env", "MY_KEY", "--env", "MY_TOKEN"];
    const add = ["agents", "add", "--custom", "command:mine", ...args, "--", "cat", "-u", "--name"];
    const added = await sandbox.skein(add, { input: "s3cret-key\ns3cret-token\n" }).ended;
    expect([added.code, added.stdout]).toEqual([0, "Added My agent as command:mine. It runs: cat -u --name\n"]);
    expect(added.stdout + added.stderr).not.toContain("s3cret");
    expect(readAgents(sandbox)).toEqual({
      "command:mine": {
        name: "My agent",
        command: ["cat", "-u", "--name"],
        environment: { MY_URL: "https://x.example", MY_KEY: "s3cret-key", MY_TOKEN: "s3cret-token" },
      },
    });
    expect(statSync(path.join(sandbox.home, "config.json")).mode & 0o777).toBe(0o600);
    const list = await sandbox.skein(["agents", "list", "--json"]).ended;
    expect(list.stdout).not.toContain("s3cret");
    const { agents } = JSON.parse(list.stdout) as { agents: { id: string }[] };
    expect(agents.find(({ id }) => id === "command:mine")).toMatchObject({
      name: "My agent",
      available: true,
      added: { command: ["cat", "-u", "--name"], variables: ["MY_URL", "MY_KEY", "MY_TOKEN"], enabled: true },
    });
    const again = await sandbox.skein(["agents", "add", "--custom", "command:mine", "--", "other"]).ended;
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("There is an agent command:mine already.")]);
  });

  it("[N3] lists an agent's own sessions in a repository, and says why there are none to list", async () => {
    await using sandbox = createSandbox();
    const program = path.join(sandbox.repository, "..", "keeper.mjs");
    writeFileSync(
      program,
      `import { createInterface } from "node:readline";
      const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line);
        if (method === "initialize") say(id, { protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities: process.argv[2] ? { list: {} } : {} } });
        if (method === "session/list") say(id, { sessions: [{ sessionId: "s1", cwd: params.cwd, title: "Fix it", updatedAt: "2026-01-01T00:00:00Z" }] });
      });`,
    );
    for (const [name, ...args] of [["keeper", "list"], ["plain"]]) {
      await sandbox.skein(["agents", "add", "--custom", `acp:${name}`, "--", process.execPath, program, ...args]).ended;
    }
    const listed = await sandbox.skein(["agents", "sessions", "acp:keeper", "--repo", sandbox.repository]).ended;
    expect([listed.code, listed.stderr]).toEqual([0, ""]);
    expect(listed.stdout).toMatch(/^SESSION +LAST USED +TITLE\s+s1 +2026-01-01T00:00:00.000Z +Fix it\s*$/);
    const refused = await sandbox.skein(["agents", "sessions", "acp:plain", "--repo", sandbox.repository]).ended;
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("does not offer to list and resume its sessions")]);
  });

  it.each([
    ["no program", ["--custom", "acp:x"], "The program is missing"],
    ["an id that is not for a custom agent", ["--custom", "claude-code", "--", "x"], "Use acp:<name> or command:<name>."],
    ["an invalid variable name", ["--custom", "acp:x", "--env", "1A=b", "--", "x"], "“1A” is not the name of a variable."],
    ["a command without --custom", ["qwen-code", "--", "x"], "add --custom"],
  ])("%s is a usage error, and nothing is written", async (_, args, message) => {
    await using sandbox = createSandbox();
    const ended = await sandbox.skein(["agents", "add", ...args]).ended;
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(path.join(sandbox.home, "config.json"))).toBe(false);
  });

  it("a config.json that cannot be read is not overwritten", async () => {
    await using sandbox = createSandbox();
    const file = path.join(sandbox.home, "config.json");
    await sandbox.skein(["agents"]).ended;
    writeFileSync(file, "{ broken");
    const ended = await sandbox.skein(["agents", "add", "--custom", "acp:x", "--", "x"]).ended;
    expect([ended.code, ended.stderr, readFileSync(file, "utf8")]).toEqual([1, expect.stringContaining("cannot be read"), "{ broken"]);
  });
});
