import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Attempt, ConversationMessage, Settings } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasSandbox, newPlaceFolder, removePlaces } from "../packages/agents/src/sandbox/sandbox.fixture.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

/** The user's home: with a login, settings of an agent, and caches. */
function newUserHome(): string {
  const home = newPlaceFolder();
  for (const folder of [".ssh", ".claude", ".npm", "notes", ".config/git"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, ".ssh/id_ed25519"), "private key");
  writeFileSync(join(home, ".claude/settings.json"), "{}");
  writeFileSync(join(home, ".bashrc"), "# the user's\n");
  writeFileSync(join(home, "notes/plan"), "readable");
  symlinkSync("notes", join(home, "link"));
  return home;
}

/** Prints a line for everything that succeeds and should not. */
function toEscapes({
  server,
  userHome,
  repository,
  port,
}: {
  server: RealServer;
  userHome: string;
  repository: string;
  port: number;
}): string {
  const api = new URL(server.url);
  const tries: Record<string, string> = {
    "writes beside the worktree": "echo x > ../new",
    "writes into the repository": `echo x > ${repository}/new || echo x > ${repository}/.git/new`,
    "changes git's settings": "git config core.fsmonitor /bin/true",
    "adds a hook": 'echo x > "$(git rev-parse --git-common-dir)/hooks/post-commit"',
    "replaces .git": "mv .git .git-old || rm .git || echo x > .git",
    "changes the user's shell": `echo x >> ${userHome}/.bashrc`,
    "changes an agent's settings": `echo x > ${userHome}/.claude/settings.json`,
    "reads a key": `cat ${userHome}/.ssh/id_ed25519`,
    "reads the token": `cat ${server.home}/token || grep -r . ${server.home} --include=token`,
    "reads the database": `ls ${server.home}/*.db ${server.home}/*.sqlite`,
    "sees other attempts": `[ "$(ls ${server.home}/worktrees | wc -l)" != 1 ]`,
    "sees executions": `ls ${server.home}/executions`,
    "sees sockets of runners": `ls ${server.home}/run/* /tmp/skein-*`,
    "reaches the API": `(: > /dev/tcp/127.0.0.1/${api.port})`,
    "reaches another port": `(: > /dev/tcp/127.0.0.1/${port})`,
    "reaches the network": "(: > /dev/tcp/1.1.1.1/443)",
    "sees the process that started it": "grep -l -z SKEIN_ /proc/[0-9]*/environ | grep -v /proc/self | xargs -r -n1 grep -z -l API_KEY",
    "has a key of a provider": "env | grep -q secret-key",
    "leaves its namespaces": "unshare -U true || nsenter -t 1 -m true",
  };
  return Object.entries(tries)
    .map(([name, command]) => `( ${command} ) > /dev/null 2>&1 && echo "ESCAPED: ${name}"`)
    .concat(
      "echo changed > made.txt",
      "git status --short",
      "cat ~/notes/plan; cat ~/link/plan",
      "echo cached > ~/.npm/x && echo own > ~/new-file",
      "echo finished",
    )
    .join("\n");
}

describe.skipIf(!hasSandbox)("an attempt in a sandbox", () => {
  let server: RealServer;
  let userHome: string;
  let repository: string;
  let projectId: string;
  const other = createServer((_, response) => response.end("other")).listen(0, "127.0.0.1");
  const otherPort = () => (other.address() as AddressInfo).port;

  beforeAll(async () => {
    userHome = newUserHome();
    repository = newRepository("repo", newPlaceFolder());
    const config = {
      agents: { "command:shell": { command: ["/bin/bash", "agent.sh"] } },
      sandbox: { default: "workspace" },
      developer: { scriptedModels: true },
    };
    const home = newPlaceFolder();
    writeFileSync(join(home, "config.json"), JSON.stringify(config));
    server = await startRealServer({ home, environment: { HOME: userHome, ANTHROPIC_API_KEY: "secret-key" }, keep: true });
    projectId = (await server.api.createProject(repository)).id;
  });
  afterAll(async () => {
    other.close();
    await server.stop();
    removePlaces();
  });

  async function run(
    agent: { agent?: string; model?: string; sandbox?: "off" },
    message = "go",
  ): Promise<{ attempt: Attempt; messages: ConversationMessage[]; status: string }> {
    const { id: taskId } = await server.api.createTask(projectId);
    const attempt = await server.api.createAttempt(taskId, { permissionMode: "full", ...agent });
    const { executionId } = await server.api.send(taskId, message);
    const { status } = await waitForEnd(server, attempt.id, executionId);
    return { attempt, status, messages: (await server.api.conversation(taskId)).messages };
  }

  /** The output of the only command. */
  function outputOf(messages: readonly ConversationMessage[]): string {
    const cards = messages.flatMap((message) => (message.messageType === "tool_execution" ? [message.metadata] : []));
    return String(cards[0]?.output ?? "");
  }

  const expected = "?? made.txt\nreadablereadablefinished";

  test("[L7] [X20] a command of Skein's own agent gets out nowhere, and what it may do works", async () => {
    const model = newScriptedModel([
      { toolCalls: [bash(toEscapes({ server, userHome, repository, port: otherPort() }))] },
      { text: "Done." },
    ]);
    const { attempt, messages, status } = await run({ model });
    expect(attempt.sandbox).toBe("workspace");
    expect(status).toBe("success");
    expect(outputOf(messages)).toContain(expected);
    expect(outputOf(messages)).not.toContain("ESCAPED");
    expect(readFileSync(join(attempt.directory, "made.txt"), "utf8")).toBe("changed\n");
    expect(readFileSync(join(userHome, ".bashrc"), "utf8")).toBe("# the user's\n");
    expect(readdirSync(join(userHome, ".npm"))).toEqual([]);
    expect(existsSync(join(userHome, "new-file"))).toBe(false);
  });

  test("[L7] [X20] the program of another agent gets out nowhere", async () => {
    const script = toEscapes({ server, userHome, repository, port: otherPort() });
    const { attempt, messages, status } = await run({ agent: "command:shell" }).then(async (first) => {
      // the first execution has no script yet
      writeFileSync(join(first.attempt.directory, "agent.sh"), `cat > /dev/null\n${script}`);
      const { executionId } = await server.api.send(first.attempt.taskId, "again");
      const { status } = await waitForEnd(server, first.attempt.id, executionId);
      return { ...first, status, messages: (await server.api.conversation(first.attempt.taskId)).messages };
    });
    const text = messages.map(({ content }) => content).join("\n");
    expect({ status, text }).toMatchObject({ status: "success" });
    expect(text).toContain("finished");
    expect(text).not.toContain("ESCAPED");
    expect(existsSync(join(attempt.directory, "made.txt"))).toBe(true);
  });

  test("[L7] without a sandbox the same commands do get out: the test can fail", async () => {
    const escapes = toEscapes({ server, userHome: newUserHome(), repository: newRepository("repo", newPlaceFolder()), port: otherPort() });
    const model = newScriptedModel([{ toolCalls: [bash(escapes)] }, { text: "Done." }]);
    const { attempt, messages } = await run({ model, sandbox: "off" });
    expect(attempt.sandbox).toBe("off");
    for (const name of [
      "writes beside the worktree",
      "changes the user's shell",
      "reads a key",
      "reads the token",
      "reaches the API",
      "reaches another port",
    ]) {
      expect(outputOf(messages)).toContain(`ESCAPED: ${name}`);
    }
  });

  test("[L7] an address that the user allows is reached from the next message on, by commands and by web_fetch", async () => {
    const url = `http://127.0.0.1:${otherPort()}/`;
    const steps = () => [
      { toolCalls: [bash(`exec 3<>/dev/tcp/127.0.0.1/${otherPort()} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3`)] },
      { toolCalls: [{ name: "web_fetch", arguments: { url: "http://192.0.2.1/" } }] },
      { text: "Done." },
    ];
    expect(outputOf((await run({ model: newScriptedModel(steps()) })).messages)).toContain("refused");
    const settings = await server.api.request<Settings>("GET", "/api/settings");
    expect(settings.sandboxSupport).toEqual({ state: "supported" });
    await server.api.request("PATCH", "/api/settings/general", { sandbox: { hosts: [new URL(url).host] } });
    const { messages } = await run({ model: newScriptedModel(steps()) });
    expect(outputOf(messages)).toContain("other");
    expect(JSON.stringify(messages)).toContain("does not allow connections to http://192.0.2.1/");
    await server.api.request("PATCH", "/api/settings/general", { sandbox: { hosts: [] } });
  });

  test("[L7] its home folder is kept from message to message and removed with the attempt", async () => {
    const model = newScriptedModel([{ toolCalls: [bash("echo kept > ~/note; cat ~/note")] }, { text: "Done." }]);
    const { attempt } = await run({ model });
    const own = join(server.home, "homes", attempt.id);
    expect(readFileSync(join(own, "home/note"), "utf8")).toBe("kept\n");
    await server.api.request("DELETE", `/api/attempts/${attempt.id}?discard=true`);
    await expect.poll(() => existsSync(own)).toBe(false);
  });

  test("[L7] an attempt that continues one in a sandbox has one, too, unless the user chooses otherwise", async () => {
    const { attempt } = await run({ model: newScriptedModel([{ text: "Done." }]) });
    const next = await server.api.createAttempt(attempt.taskId, { continueFrom: attempt.id, model: "scripted/demo" });
    expect(next.sandbox).toBe("workspace");
    const changed = await server.api.request<Attempt>("PATCH", `/api/attempts/${next.id}`, { sandbox: "off" });
    expect(changed.sandbox).toBe("off");
    git(next.directory, "status");
  });
});
