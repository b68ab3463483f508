import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Attempt, sessionHeader, type TerminalList } from "@skein/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { hasSandbox, newPlaceFolder, removePlaces } from "../packages/agents/src/sandbox/sandbox.fixture.ts";
import { processTable } from "../packages/host/src/runner/process-table.ts";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { startConfiguredServer } from "./support/configured-server.ts";
import { observeServer } from "./support/observe-server.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { openTerminal, readTerminal } from "./support/terminal-reader.ts";

/** A shell without a user's settings. */
const environment = { SHELL: "/bin/bash" };

/** What a terminal started and still runs. */
const listPids = (executionId: string) => findExecutionProcesses({ executionId });

/** What a browser sends with each request. */
async function signIn(server: RealServer): Promise<Record<string, string>> {
  const { url } = await server.api.request<{ url: string }>("POST", "/api/launch-codes");
  const response = await fetch(`${server.url}/api/sessions`, {
    ...{ method: "POST", headers: { "content-type": "application/json", origin: server.url } },
    body: JSON.stringify({ code: new URL(url).hash.slice(1) }),
  });
  const { secret } = (await response.json()) as { secret: string };
  return { cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "", [sessionHeader]: secret, origin: server.url };
}

async function newAttempt(server: RealServer, input: Partial<Attempt> = {}) {
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  const attempt = await server.api.createAttempt(task.id, input as object);
  return { task, attempt, list: () => server.api.request<TerminalList>("GET", `/api/attempts/${attempt.id}/terminals`) };
}

test("[L9] a terminal is a real one: a login shell in the worktree, with a size, Ctrl-C, and an exit", async () => {
  const server = await startRealServer({
    environment: { ...environment, SKEIN_SECRET_OF_SERVER: "hidden", ANTHROPIC_API_KEY: "sk-hidden" },
  });
  const { attempt, list } = await newAttempt(server);
  const terminal = await openTerminal(server, attempt.id);
  await terminal.type("echo in:$PWD; stty size; shopt login_shell; tty > /dev/null && echo is-a-tty\r");
  await terminal.waitFor(`in:${attempt.directory}`);
  await terminal.waitFor("25 90");
  await terminal.waitFor(/login_shell\s+on/);
  await terminal.waitFor(/\nis-a-tty/);
  await server.api.request("POST", `${terminal.path}/size`, { columns: 120, rows: 40 });
  await terminal.type("stty size\r");
  await terminal.waitFor("40 120");
  // nothing of Skein's own, and no keys
  await terminal.type("echo secrets:$(env | grep -c -e SKEIN -e API_KEY)\r");
  await terminal.waitFor("secrets:0");
  await terminal.type("sleep 1000; echo not-this-$((1+1))\r");
  await vi.waitFor(() => expect(listPids(terminal.terminal.id).length).toBeGreaterThan(1));
  await terminal.type("\u0003");
  await terminal.waitFor("^C");
  await terminal.type("echo after-$((1+1))\r");
  await terminal.waitFor("after-2");
  expect(terminal.text).not.toContain("not-this-2");
  await terminal.type("exit 3\r");
  await vi.waitFor(() => expect(terminal.exit).toMatchObject({ exitCode: 3, signal: null }), { timeout: 20_000 });
  expect((await list()).terminals).toMatchObject([{ number: 1, exit: { exitCode: 3 } }]);
  // what it printed can still be read
  const late = readTerminal(server, terminal.path);
  await late.waitFor("after-2");
  await server.api.request("DELETE", terminal.path);
  expect((await list()).terminals).toEqual([]);
});

test("[L9, Q7] it survives kill -9 of the server, and a viewer gets everything again from the start", async () => {
  const server = await startRealServer({ environment });
  const { attempt, list } = await newAttempt(server);
  const terminal = await openTerminal(server, attempt.id);
  await terminal.type("X=kept; echo first-$X\r");
  await terminal.waitFor("first-kept");
  await server.kill();
  await server.start();
  expect((await list()).terminals).toMatchObject([{ id: terminal.terminal.id, exit: null }]);
  const again = readTerminal(server, terminal.path);
  await again.waitFor("first-kept");
  await again.type("echo second-$X\r");
  await again.waitFor("second-kept");
  // the former viewer went on where it was
  await terminal.waitFor("second-kept");
  expect(terminal.text).toBe(again.text);
});

test("[L9] several terminals at once, with a limit; closing one ends everything that was started in it, also in the background", async () => {
  const server = await startRealServer({ environment });
  const { attempt, list } = await newAttempt(server);
  const one = await openTerminal(server, attempt.id);
  const two = await openTerminal(server, attempt.id);
  await one.type("setsid sleep 1000 & echo started-$((1+1))\r");
  await one.waitFor("started-2");
  await vi.waitFor(() => expect(listPids(one.terminal.id).length).toBeGreaterThan(1));
  await server.api.request("DELETE", one.path);
  expect(listPids(one.terminal.id)).toEqual([]);
  expect((await list()).terminals).toMatchObject([{ id: two.terminal.id, number: 2, exit: null }]);
  for (let count = 1; count < (await list()).limit; count++) await openTerminal(server, attempt.id);
  await expect(openTerminal(server, attempt.id)).rejects.toMatchObject({ problem: { code: "too-many-terminals" } });
});

test("[L9, L8] the terminals of an attempt end with it, and a shell whose process was killed is found and ended", async () => {
  const server = await startRealServer({ environment });
  const { attempt, list } = await newAttempt(server);
  const terminal = await openTerminal(server, attempt.id);
  await terminal.type("trap '' HUP; setsid sh -c 'trap \"\" HUP; sleep 1000' & echo up-$((1+1))\r");
  await terminal.waitFor("up-2");
  const folder = join(server.home, "terminals", attempt.id, terminal.terminal.id);
  const { pid } = JSON.parse(readFileSync(join(folder, "process.json"), "utf8"));
  await server.kill();
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(processTable.readStartTime(pid)).toBeNull());
  await server.start();
  await vi.waitFor(() => expect(listPids(terminal.terminal.id)).toEqual([]), { timeout: 20_000 });
  expect((await list()).terminals).toMatchObject([{ exit: { lost: true } }]);

  const next = await openTerminal(server, attempt.id);
  await next.type("echo next-$((1+1))\r");
  await next.waitFor("next-2");
  await server.api.request("DELETE", `/api/attempts/${attempt.id}?discard=true`);
  expect(listPids(next.terminal.id)).toEqual([]);
  expect(existsSync(join(server.home, "terminals", attempt.id))).toBe(false);
});

test("[L9] a terminal that is being started is not taken for lost, however often it is looked at", async () => {
  const server = await startRealServer({ environment });
  const { attempt } = await newAttempt(server);
  let isOpen = false;
  const looking = (async () => {
    while (!isOpen) await server.api.request("GET", `/api/attempts/${attempt.id}/terminals`);
  })();
  const terminal = await openTerminal(server, attempt.id);
  isOpen = true;
  await looking;
  await terminal.type("echo alive-$((1+1))\r");
  await terminal.waitFor("alive-2");
  expect(await server.api.request<TerminalList>("GET", `/api/attempts/${attempt.id}/terminals`)).toMatchObject({
    terminals: [{ exit: null }],
  });
});

test("[L9] a flood of 10 MB neither blocks the server nor grows its memory: the program waits for a viewer, and not for one that left", {
  timeout: 180_000,
}, async () => {
  const server = await startRealServer({ environment });
  const { attempt } = await newAttempt(server);
  const terminal = await openTerminal(server, attempt.id);
  const flood = (megabytes: number, end: string) =>
    terminal.type(`stty -echo; head -c ${megabytes}000000 /dev/zero | tr '\\0' 'x' | fold -w 99; echo ${end}-$((1+1))\r`);
  // the server's heap gets its size for this kind of work first
  await flood(5, "warm");
  await terminal.waitFor("warm-2");
  await flood(10, "the-end");
  const { memoryGrowth } = await observeServer(server, () => terminal.waitFor("the-end-2"));
  // a viewer that keeps up gets all of it
  expect(terminal.skipped).toBe(0);
  expect(terminal.bytes).toBeGreaterThan(15_000_000);
  expect(memoryGrowth).toBeLessThan(64 * 1024 * 1024);
  terminal.close();
  await server.api.request("POST", `${terminal.path}/input`, {
    data: "head -c 10000000 /dev/zero | tr '\\0' 'y' | fold -w 99; echo the-end-$((2+1))\r",
  });
  const late = readTerminal(server, terminal.path);
  await late.waitFor("the-end-3");
  // only the end is kept
  const last = readTerminal(server, terminal.path);
  await last.waitFor("the-end-3");
  expect(last.skipped).toBeGreaterThan(10_000_000);
  expect(last.bytes).toBeLessThanOrEqual(1024 * 1024);
});

test.skipIf(!hasSandbox)("[L9, L7] in the attempt's sandbox it cannot do more than the agent, and still is a terminal", async () => {
  onTestFinished(removePlaces);
  const server = await startRealServer({ environment: { ...environment, HOME: newPlaceFolder() } });
  const { attempt } = await newAttempt(server, { sandbox: "workspace" });
  const terminal = await openTerminal(server, attempt.id);
  expect(terminal.terminal.sandboxed).toBe(true);
  await terminal.type(
    `stty size; echo x > ../out; echo y > inside.txt; cat ${server.home}/token; (: > /dev/tcp/127.0.0.1/1) ; echo tried-$((1+1))\r`,
  );
  await terminal.waitFor("tried-2");
  expect(terminal.text).toContain("25 90");
  expect(existsSync(join(attempt.directory, "..", "out"))).toBe(false);
  expect(readFileSync(join(attempt.directory, "inside.txt"), "utf8")).toBe("y\n");
  expect(terminal.text).toMatch(/token: No such file/);
  await terminal.type("echo sleeping-$((1+1)); sleep 1000\r");
  await terminal.waitFor("sleeping-2");
  await terminal.type("\u0003");
  await terminal.waitFor("^C");
  await terminal.type("echo secrets:$(env | grep -c SKEIN)\r");
  await terminal.waitFor("secrets:0");
  await server.api.request("DELETE", terminal.path);
  expect(listPids(terminal.terminal.id)).toEqual([]);
});

test("[L9] nobody else gets in: no credential, another origin, another attempt, a token with less than admin, and the agent itself", async () => {
  const server = await startRealServer({ environment });
  const { attempt } = await newAttempt(server);
  const other = await newAttempt(server);
  const terminal = await openTerminal(server, attempt.id);
  await terminal.type("echo secret-$((1+1))\r");
  await terminal.waitFor("secret-2");
  const routes = [
    ["GET", `/api/attempts/${attempt.id}/terminals`],
    ["POST", `/api/attempts/${attempt.id}/terminals`, { columns: 80, rows: 24 }],
    ["GET", `${terminal.path}/output`],
    ["POST", `${terminal.path}/input`, { data: "touch broken-in\r" }],
    ["POST", `${terminal.path}/size`, { columns: 5, rows: 5 }],
    ["DELETE", terminal.path],
    ["POST", `/api/attempts/${attempt.id}/dev`, {}],
  ] as const;
  const ask = (headers: Record<string, string>) =>
    Promise.all(
      routes.map(async ([method, path, body]) => {
        const all = { "content-type": "application/json", ...headers };
        const response = await fetch(`${server.url}${path}`, { method, headers: all, ...(body ? { body: JSON.stringify(body) } : {}) });
        await response.body?.cancel();
        return response.status;
      }),
    );
  expect(await ask({})).toEqual(routes.map(() => 401));
  const browser = await signIn(server);
  expect(await ask({ ...browser, origin: "https://example.com" })).toEqual(routes.map(() => 403));
  expect(await ask({ ...browser, [sessionHeader]: "sks_guess" })).toEqual(routes.map(() => 401));
  for (const scope of ["read", "write", "approve", "manage"]) {
    const { token } = await server.api.request<{ token: string }>("POST", "/api/tokens", { name: scope, scope });
    expect(await ask({ authorization: `Bearer ${token}` })).toEqual(routes.map(() => 403));
  }
  // the id of a terminal opens nothing through another attempt
  for (const [method, path, body] of routes.slice(2, 6)) {
    const request = server.api.request(method, path.replace(attempt.id, other.attempt.id), body);
    await expect(request).rejects.toMatchObject({ status: 404, problem: { code: "terminal-not-found" } });
  }
  // an agent with the token of the data dir
  const command = `curl -s -o /dev/null -w '%{http_code}' -H "authorization: Bearer $(cat ${server.home}/token)" -H 'content-type: application/json' -d '{"columns":80,"rows":24}' ${server.url}/api/attempts/${attempt.id}/terminals`;
  const agent = await server.api.createAttempt(attempt.taskId, {
    model: newScriptedModel([{ toolCalls: [bash(command)] }, { text: "Done." }]),
  });
  await server.api.send(attempt.taskId, "Try it");
  await vi.waitFor(async () => expect(await server.api.executions(agent.id)).toMatchObject([{ status: "success" }]), { timeout: 60_000 });
  const card = (await server.api.conversation(attempt.taskId)).messages.find(({ messageType }) => messageType === "tool_execution");
  expect(card?.messageType === "tool_execution" && card.metadata.output).toContain("403");

  await terminal.type("ls; echo listed-$((1+1))\r");
  await terminal.waitFor("listed-2");
  expect(terminal.text).not.toContain("broken-in");
  // the socket of its process needs a key that is nowhere on the disk
  const { socket } = JSON.parse(readFileSync(join(server.home, "terminals", attempt.id, terminal.terminal.id, "process.json"), "utf8"));
  const { callTerminal } = await import("../packages/host/src/terminal/call-terminal.ts");
  const read = { type: "read", from: 0, limit: 100, waitMs: 0, reader: "x" } as const;
  await expect(callTerminal({ socket, key: "guess" }, read)).rejects.toThrow("does not answer");
});

test("[L9] config.json turns terminals off; they are off behind a proxy and with users unless it turns them on", async () => {
  const code = async (server: RealServer) => {
    const { attempt } = await newAttempt(server);
    return openTerminal(server, attempt.id).then(
      () => "open",
      (error: { problem: { code: string } }) => error.problem.code,
    );
  };
  expect(await code(await startConfiguredServer({ terminals: false }, environment))).toBe("terminals-off");
  expect(await code(await startConfiguredServer({ behindProxy: true }, environment))).toBe("terminals-off");
  expect(await code(await startConfiguredServer({ team: {} }, environment))).toBe("terminals-off");
  expect(await code(await startConfiguredServer({ behindProxy: true, terminals: true }, environment))).toBe("open");
});
