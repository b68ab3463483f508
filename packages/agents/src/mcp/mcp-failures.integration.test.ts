import { startHttpMcpServer } from "@skein/testkit/mcp-servers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectForTest } from "./mcp.fixture.ts";

/** The notice about a server that did not start, whose tools are left out. */
const notStarted = (server: string, reason: unknown) => ({
  code: "mcp-server-failed",
  text: { code: "mcp-server-not-started", server, reason },
});

describe("[N1] a misbehaving server affects only its own tools", () => {
  test.each([
    // each may need as long as the working one to start on a busy machine
    ["exits-at-start", 30_000, { code: "mcp-exited", exitCode: 3, stderr: expect.stringMatching(/^no configuration found/) }],
    ["hangs-at-start", 6000, { code: "mcp-no-answer", seconds: 6, stderr: expect.stringMatching(/^waiting for a database/) }],
    ["only-garbage", 6000, { code: "mcp-no-answer", seconds: 6, stdout: "listening on port 3000" }],
  ] as const)("[N1] at start: %s", async (mode, startTimeoutMs, reason) => {
    const { call, notices, close, findProcesses, tools } = await connectForTest({
      programs: { bad: { mode }, good: {} },
      startTimeoutMs,
    });
    expect(notices).toEqual([notStarted("bad", reason)]);
    expect(tools.some((tool) => tool.definition.name.startsWith("mcp__bad__"))).toBe(false);
    expect(await call("mcp__good__echo", { text: "hi" })).toMatchObject({ output: "hi" });
    expect(findProcesses()).toHaveLength(1);
    await close();
    expect(findProcesses()).toEqual([]);
  });

  test("[N1] a missing program is named", async () => {
    const definition = { type: "stdio" as const, name: "gone", command: "no-such-program-of-anyone", args: [], env: {} };
    const { notices } = await connectForTest({ servers: [{ definition, trustedTools: null }] });
    expect(notices).toEqual([notStarted("gone", { code: "mcp-program-not-found", command: "no-such-program-of-anyone" })]);
  });

  test("[Q13] lines on stdout that are not messages are skipped", async () => {
    const { call, notices } = await connectForTest({ programs: { noisy: { mode: "garbage" } } });
    for (const text of ["one", "two", "three"]) expect(await call("mcp__noisy__echo", { text })).toMatchObject({ output: text });
    expect(notices).toEqual([]);
  });

  test("[Q13] an endless message ends the server, not the agent", async () => {
    const { call } = await connectForTest({ programs: { demo: {} } });
    const outcome = await call("mcp__demo__huge", { length: 40 * 1024 * 1024 });
    expect(outcome).toMatchObject({ state: "failed", output: expect.stringContaining("a message was longer than") });
    expect(await call("mcp__demo__echo", { text: "back" })).toMatchObject({ output: "back" });
  });

  test("[Q4] a call during which the server dies is not repeated; the next call restarts the server, once", async () => {
    const { call, notices, readTrace } = await connectForTest({ programs: { demo: {} } });
    const first = await call("mcp__demo__dies");
    expect(first).toMatchObject({ state: "failed", output: expect.stringContaining("It may have done part of its work") });
    expect(first.output).toContain("It ended with exit code 7.");
    expect(await call("mcp__demo__echo", { text: "back" })).toEqual({ output: "back", state: "completed" });
    expect(await call("mcp__demo__dies")).toMatchObject({ state: "failed" });
    for (let time = 0; time < 2; time++) {
      const refused = await call("mcp__demo__echo", { text: "again" });
      expect(refused).toMatchObject({ state: "failed", output: expect.stringMatching(/^The MCP server “demo” is not available\./) });
    }
    expect(readTrace()).toEqual(["started", "dies called", "started", "dies called"]);
    expect(notices.map((notice) => notice.code)).toEqual(["mcp-server-lost", "mcp-server-back", "mcp-server-lost"]);
  });

  test("[N1, Q4] parallel calls are lost together, reported once, and the next ones share one new start", async () => {
    const { call, notices, readTrace } = await connectForTest({ programs: { demo: {} } });
    const echoes = await Promise.all(Array.from({ length: 20 }, (_, n) => call("mcp__demo__echo", { text: `echo ${n}` })));
    expect(echoes.map(({ output }) => output)).toEqual(Array.from({ length: 20 }, (_, n) => `echo ${n}`));
    const lost = await Promise.all([call("mcp__demo__hangs"), call("mcp__demo__hangs"), call("mcp__demo__dies")]);
    for (const outcome of lost) expect(outcome).toMatchObject({ state: "failed", output: expect.stringContaining("was lost") });
    const back = await Promise.all([call("mcp__demo__echo", { text: "a" }), call("mcp__demo__echo", { text: "b" })]);
    expect(back.map(({ output }) => output)).toEqual(["a", "b"]);
    expect(notices.map((notice) => notice.code)).toEqual(["mcp-server-lost", "mcp-server-back"]);
    expect(readTrace().filter((line) => line === "started")).toHaveLength(2);
  });

  test("[N1] a tool that the server removes fails with an error, and the change is reported", async () => {
    const { call, notices } = await connectForTest({ programs: { demo: {} } });
    expect(await call("mcp__demo__changes")).toMatchObject({ output: "changed" });
    await vi.waitFor(() => expect(notices.map((notice) => notice.code)).toEqual(["mcp-tools-changed"]));
    expect(await call("mcp__demo__echo", { text: "hi" })).toEqual({
      output: "The MCP server “demo” no longer has the tool “echo”.",
      state: "failed",
    });
  });
});

describe("[X8] trust is bound to the tools", () => {
  test("[X8] a tool that has changed or is new is neither offered nor called", async () => {
    const before = await connectForTest({ programs: { demo: {} } });
    const all = Object.fromEntries(before.reached.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool.hash])));
    const { image: _, ...trustedTools } = all;
    const same = await connectForTest({ programs: { demo: {} }, trustedTools: all });
    expect([same.tools.length, same.notices]).toEqual([before.tools.length, []]);

    const after = await connectForTest({ programs: { demo: { poisoned: true } }, trustedTools });
    const names = after.tools.map((tool) => tool.definition.name);
    expect(names).toHaveLength(before.tools.length - 2);
    expect(names).not.toContain("mcp__demo__echo");
    expect(after.notices).toEqual([
      { code: "mcp-tools-changed", text: { code: "mcp-tools-withheld", server: "demo", tools: ["echo", "image"] } },
    ]);
    expect(JSON.stringify(after.tools.map((tool) => tool.definition))).not.toContain(".ssh");
  });

  test("[X8] a tool that changes while the agent works is no longer called", async () => {
    const { reached } = await connectForTest({ programs: { demo: {} } });
    const trustedTools = Object.fromEntries(reached.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool.hash])));
    const { call, notices } = await connectForTest({ programs: { demo: {} }, trustedTools });
    expect(await call("mcp__demo__structured")).toMatchObject({ state: "completed" });
    await call("mcp__demo__changes");
    await vi.waitFor(() => expect(notices).not.toEqual([]));
    const refused = await call("mcp__demo__structured");
    expect(refused).toMatchObject({ state: "failed", output: expect.stringContaining("not as the user trusted it") });
  });
});

describe("[Q6] close", () => {
  test("[Q6] leaves nothing of a server that ignores it, nor of its children", async () => {
    const { close, findProcesses, call, readTrace } = await connectForTest({ programs: { demo: { mode: "stubborn" } } });
    expect(await call("mcp__demo__echo", { text: "hi" })).toMatchObject({ output: "hi" });
    expect(findProcesses()).toHaveLength(2);
    await close();
    expect(readTrace()).toContain("ignored SIGTERM");
    await vi.waitFor(() => expect(findProcesses()).toEqual([]));
  });

  test("[Q6] leaves nothing of a server that exits and leaves a child behind", async () => {
    const { close, findProcesses } = await connectForTest({ programs: { demo: { mode: "leaves-child" } } });
    expect(findProcesses()).toHaveLength(2);
    await close();
    await vi.waitFor(() => expect(findProcesses()).toEqual([]));
  });

  test("[N2] stop while servers start ends them", async () => {
    const stopping = new AbortController();
    const connecting = connectForTest({ programs: { demo: { mode: "hangs-at-start" } }, signal: stopping.signal });
    stopping.abort(new Error("stopped"));
    const { tools, notices, findProcesses } = await connecting;
    expect([tools, notices, findProcesses()]).toEqual([[], [], []]);
  });
});

describe("[N1] over HTTP", () => {
  async function startServer(key?: string) {
    const server = await startHttpMcpServer(key === undefined ? {} : { key });
    onTestFinished(() => server.close());
    const connect = (url = server.url, callTimeoutMs = 60_000) =>
      connectForTest({
        servers: [{ definition: { type: "http", name: "web", url, headers: { "x-key": "k1" } }, trustedTools: null }],
        callTimeoutMs,
      });
    return { server, connect };
  }

  test("[N1] tools are listed and called, with the headers of the configuration", async () => {
    const { server, connect } = await startServer();
    const { call, close, tools } = await connect();
    expect(tools.length).toBeGreaterThan(10);
    expect(await call("mcp__web__echo", { text: "hi" })).toEqual({ output: "hi", state: "completed" });
    const shown: string[] = [];
    await call("mcp__web__slow", { steps: 2, stepMs: 100 }, { onProgress: (text) => void shown.push(text) });
    expect(shown[0]).toBe("working (1 of 2)\n");
    await close();
    expect(server.requests.every(({ headers }) => headers["x-key"] === "k1")).toBe(true);
    expect(server.requests.at(-1)?.method).toBe("DELETE");
  });

  test("[N1] a server that requires a key is reported as such", async () => {
    const { notices } = await (await startServer("another")).connect();
    expect(notices).toEqual([notStarted("web", { code: "mcp-key-required", status: 401 })]);
    expect((await (await startServer("k1")).connect()).notices).toEqual([]);
  });

  test("[N2] stop cancels a call", async () => {
    const { server, connect } = await startServer();
    const { call } = await connect();
    const stopping = new AbortController();
    const outcome = call("mcp__web__hangs", {}, { signal: stopping.signal });
    await vi.waitFor(() => expect(server.trace).toContain("hangs called"));
    stopping.abort();
    expect(await outcome).toMatchObject({ state: "interrupted" });
    await vi.waitFor(() => expect(server.trace).toContain("hangs cancelled"));
  });

  test("[N1] a server that restarted is connected to again", async () => {
    const { server, connect } = await startServer();
    const { call, notices } = await connect();
    server.forgetSessions();
    expect(await call("mcp__web__echo", { text: "one" })).toMatchObject({ state: "failed" });
    expect(await call("mcp__web__echo", { text: "two" })).toEqual({ output: "two", state: "completed" });
    expect(notices.map((notice) => notice.code)).toEqual(["mcp-server-lost", "mcp-server-back"]);
  });

  test("[N1] a server that dies during a call fails it at once, and is unavailable if it does not restart", async () => {
    const { connect } = await startServer();
    const { call, notices } = await connect();
    expect(await call("mcp__web__dies")).toMatchObject({ state: "failed", output: expect.stringContaining("was lost during this call") });
    expect(await call("mcp__web__echo", { text: "x" })).toMatchObject({
      state: "failed",
      output: expect.stringContaining("not available"),
    });
    expect(notices.map((notice) => notice.code)).toEqual(["mcp-server-lost", "mcp-server-failed"]);
  });

  test("[X8] redirects are followed within the trusted origin only: the headers may be keys", async () => {
    const { server, connect } = await startServer();
    const within = await connect(server.redirectFrom("/moved", "/mcp"));
    expect(await within.call("mcp__web__echo", { text: "hi" })).toMatchObject({ output: "hi" });

    const other = await startServer();
    const away = await connect(server.redirectFrom("/away", other.server.url));
    expect(away.tools).toEqual([]);
    expect(away.notices).toEqual([notStarted("web", { code: "mcp-redirects-elsewhere", origin: new URL(other.server.url).origin })]);
    expect(other.server.requests).toEqual([]);
  });
});
