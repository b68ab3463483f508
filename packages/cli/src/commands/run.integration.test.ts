import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

const readsTheReadme = [
  { text: "I look at it.", toolCalls: [{ name: "read", arguments: { path: "README.md" } }] },
  { text: "It is a sample." },
];

describe("skein run", () => {
  it("prints the text and a line for each tool execution, mentions changes only if there are any, and exits 0", async () => {
    await using sandbox = createSandbox();
    const { code, stdout, stderr } = await sandbox.skein([
      "run",
      "Read it",
      "--repo",
      sandbox.repository,
      "--model",
      sandbox.script(readsTheReadme),
    ]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^Permission mode ask: the agent asks [^\n]*--permission-mode[^\n]*\nI look at it\.\n✓ Read README\.md {2}\d+ ms\nIt is a sample\.\n\nDone after [^\n]*\n$/,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a pipe gets no colours
    expect(stdout).not.toMatch(/\x1b/);
  });

  it("[E10] states the permission mode that a run gets from the settings, and nothing about one that was chosen", async () => {
    await using sandbox = createSandbox();
    const args = ["run", "Read it", "--repo", sandbox.repository, "--model", sandbox.script(readsTheReadme)];
    const chosen = await sandbox.skein([...args, "--permission-mode", "full"]).ended;
    expect(chosen.stdout).toMatch(/^I look at it/);
    const server = sandbox.skein(["serve", "--port", "0"]);
    const [, url] = await server.printed(/(http:\/\/[^/\s]+)\/launch/);
    const authorization = `Bearer ${readFileSync(path.join(sandbox.home, "token"), "utf8").trim()}`;
    const response = await fetch(`${url}/api/settings/defaults`, {
      method: "PATCH",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ permissionMode: "accept-edits" }),
    });
    expect(response.ok).toBe(true);
    const { stdout } = await sandbox.skein(args).ended;
    expect(stdout).toMatch(/^Permission mode accept-edits: the agent edits files, and asks before it runs commands\. /);
    server.child.kill("SIGTERM");
    await server.ended;
  });

  it("an agent that does not exist is wrong usage: nothing is started, and it is said once", async () => {
    await using sandbox = createSandbox();
    const { code, stdout, stderr } = await sandbox.skein(["run", "Read it", "--repo", sandbox.repository, "--agent", "claude"]).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: "skein: There is no agent “claude”.\nTo list the agents: skein agents\n",
    });
    expect(existsSync(path.join(sandbox.home, "logs/server.log"))).toBe(false);
  });

  it("[E6] --json prints the committed events in order, one line each, and nothing else", async () => {
    await using sandbox = createSandbox();
    const args = ["run", "-", "--repo", sandbox.repository, "--model", sandbox.script(readsTheReadme), "--json", "--title", "T"];
    const { code, stdout } = await sandbox.skein(args, { input: "Read it\n" }).ended;
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line): { seq: number; type: string; status?: string } => JSON.parse(line));
    const numbers = events.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(events.filter(({ type }) => type === "execution:started")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "execution:completed")).toMatchObject([{ status: "success" }]);
    expect(events.at(-1)?.type).toBe("execution:completed");
  });

  it("exits 1 when the execution failed, and prints the reason", async () => {
    await using sandbox = createSandbox();
    const model = sandbox.script([{ error: { kind: "auth", message: "The key was refused." } }]);
    const { code, stdout } = await sandbox.skein(["run", "x", "--repo", sandbox.repository, "--model", model]).ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Failed after /m);
    expect(stdout.match(/The key was refused/g)).toHaveLength(1);
    expect(stdout).toMatch(/See the conversation: skein show att_\w{8,}\n$/);
  });

  it("exits 2 outside a git repository", async () => {
    await using sandbox = createSandbox();
    const { code, stderr } = await sandbox.skein(["run", "x", "--repo", "."]).ended;
    expect(code).toBe(2);
    expect(stderr).toContain("is not in a git repository");
  });

  it.each([[[]], [["--permission-mode", "ask"]]])(
    "[E10] without a terminal and with %j, the question stays open, and the command fails and says how to answer",
    async (mode) => {
      await using sandbox = createSandbox();
      const model = sandbox.script([{ toolCalls: [{ name: "bash", arguments: { command: "echo hello > made" } }] }, { text: "Done." }]);
      const { code, stderr } = await sandbox.skein(["run", "x", "--repo", sandbox.repository, "--model", model, "--in-place", ...mode])
        .ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/The agent waits for an answer, and there is no terminal to ask on: bash .*echo hello > made/);
      expect(stderr).toMatch(/skein open\. The task is tsk_\w+\.\n.*--permission-mode accept-edits or full/);
      expect(existsSync(path.join(sandbox.repository, "made"))).toBe(false);
      // the next server has the question
      const server = sandbox.skein(["serve", "--port", "0"]);
      const [, url] = await server.printed(/(http:\/\/[^/\s]+)\/launch/);
      const headers = { authorization: `Bearer ${readFileSync(path.join(sandbox.home, "token"), "utf8").trim()}` };
      const listed = await fetch(`${url}/api/approvals?status=pending`, { headers });
      const [pending] = (await listed.json()) as { taskId: string; toolName: string }[];
      expect(pending?.toolName).toBe("bash");
      const stop = { type: "STOP_EXECUTION", taskId: pending?.taskId };
      await fetch(`${url}/api/commands`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(stop),
      });
      await vi.waitFor(async () => expect((await sandbox.skein(["tasks"]).ended).stdout).toMatch(/stopped/i), { timeout: 20_000 });
      server.child.kill("SIGTERM");
      await server.ended;
    },
  );

  it("[E10] without a terminal, what accept-edits does not allow is denied, with the reason, and the user is notified", async () => {
    await using sandbox = createSandbox();
    const model = sandbox.script([{ toolCalls: [{ name: "bash", arguments: { command: "echo hello > made" } }] }, { text: "So be it." }]);
    const args = ["run", "x", "--repo", sandbox.repository, "--model", model, "--permission-mode", "accept-edits", "--in-place"];
    const { stdout } = await sandbox.skein(args).ended;
    expect(stdout).toMatch(/Denied bash .*There is no terminal to ask on/);
    expect(existsSync(path.join(sandbox.repository, "made"))).toBe(false);
  });

  it("[Q6] Ctrl-C stops the agent, exits 130 and leaves no process", async () => {
    await using sandbox = createSandbox();
    const pidFile = path.join(path.dirname(sandbox.home), "sleeper");
    const command = `echo $$ > ${pidFile}.part; mv ${pidFile}.part ${pidFile}; sleep 300`;
    const model = sandbox.script([{ toolCalls: [{ name: "bash", arguments: { command } }] }, { text: "Slept." }]);
    const run = sandbox.skein(["run", "Sleep", "--repo", sandbox.repository, "--model", model, "--permission-mode", "full"]);
    await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), { timeout: 20_000 });
    const sleeper = Number(readFileSync(pidFile, "utf8"));
    run.child.kill("SIGINT");
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(stdout).toContain("Stopped after");
    await vi.waitFor(() => expect(processesOf({ sleeper, home: sandbox.home })).toEqual([]), { timeout: 10_000 });
  });

  it("uses the running server of the data dir", async () => {
    await using sandbox = createSandbox();
    const server = sandbox.skein(["serve", "--port", "0"]);
    await server.printed(/is ready/);
    const run = await sandbox.skein(["run", "Read it", "--repo", sandbox.repository, "--model", sandbox.script(readsTheReadme)]).ended;
    expect(run.code).toBe(0);
    const tasks = await sandbox.skein(["tasks", "--project", sandbox.repository]).ended;
    const id = tasks.stdout.match(/tsk_\S+/)?.[0] ?? "";
    expect(id.length).toBeLessThan(20);
    expect(tasks.stdout).toMatch(/^TASK +STATE +AGE +PROJECT +TITLE\ntsk_\S+ +in review +now +repository +Read it\n$/);
    expect(tasks.stdout).toContain("Read it");
    const shown = await sandbox.skein(["show", id]).ended;
    expect(shown.stdout).toMatch(/^Read it\n\n> Read it\n\nI look at it\.\n\n✓ Read README\.md .*\n\nIt is a sample\.\n$/);
    const exported = await sandbox.skein(["export", id.slice("tsk_".length), "--format", "markdown"]).ended;
    expect(exported.stdout).toContain("It is a sample.");
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });
});

/** The sleeping shell, and every process with this data dir's path in its command line. */
function processesOf({ sleeper, home }: { sleeper: number; home: string }): string[] {
  return listProcesses().filter((line) => line.startsWith(`${sleeper} `) || line.includes(home));
}

/** `<pid> <command line>` of each; a small Linux system may have no `ps`. */
function listProcesses(): string[] {
  if (!existsSync("/proc/self/cmdline")) {
    const table = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
    return table.split("\n").map((line) => line.trim());
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => `${pid} ${readCommandLine(pid)}`);
}

function readCommandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
