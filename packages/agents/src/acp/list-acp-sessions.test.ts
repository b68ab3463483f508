import { describe, expect, it } from "vitest";
import { driveFake, fakeOptions, listTexts, newDirectory, writeFakeAgent } from "./fake-agent.fixture.ts";
import { listAcpSessions } from "./list-acp-sessions.ts";

const offers = (capabilities: string) => `on("initialize", () => ({ protocolVersion: 1, agentCapabilities: ${capabilities} }));`;
const both = offers("{ sessionCapabilities: { list: {}, resume: {} } }");

function list(body: string, directory = newDirectory()) {
  const environment = { PATH: process.env.PATH ?? "" };
  return listAcpSessions({
    name: "Fake",
    command: writeFakeAgent(body),
    directory,
    trustsRepository: true,
    options: fakeOptions,
    environment,
  });
}

describe("session/list", () => {
  it("[E3] lists the sessions of the folder alone, from every page, newest first", async () => {
    const directory = newDirectory();
    const body = `${both} const at = (sessionId, cwd, more) => ({ sessionId, cwd, ...more });
      on("session/list", ({ cwd, cursor }) => cursor === undefined
        ? { sessions: [at("s1", cwd, { title: "Old", updatedAt: "2026-01-01T00:00:00Z" }), at("other", "/elsewhere")], nextCursor: "2" }
        : { sessions: [at("s2", cwd, { title: "New", updatedAt: "2026-02-01T00:00:00Z" }), at("--evil", cwd), at("s3", cwd, { updatedAt: "soon" })] });`;
    expect(await list(body, directory)).toEqual({
      ok: true,
      truncated: false,
      sessions: [
        { id: "s2", title: "New", updatedAt: Date.UTC(2026, 1, 1) },
        { id: "s1", title: "Old", updatedAt: Date.UTC(2026, 0, 1) },
        { id: "s3", title: null, updatedAt: null },
      ],
    });
  });

  it("[E3] stops at a limit if the pages never end, and reports that", async () => {
    const body = `${both} let page = 0; on("session/list", ({ cwd }) => ({ nextCursor: "more", sessions: Array.from({ length: 30 }, (_, i) => ({ sessionId: \`s\${page}-\${i}\`, cwd })).concat((page++, [])) }));`;
    const listed = await list(body);
    expect(listed).toMatchObject({ ok: true, truncated: true });
    expect(listed.ok && listed.sessions.length).toBe(200);
  });

  it.each([
    ["nothing", offers("{}"), { code: "sessions-not-offered" }],
    ["a list that cannot be resumed", offers("{ sessionCapabilities: { list: {} } }"), { code: "sessions-not-offered" }],
    [
      "a login",
      `${both} on("session/list", () => { throw fail(-32000, "Authentication required"); });`,
      { reason: { code: "agent-not-logged-in" } },
    ],
    [
      "an error",
      `${both} on("session/list", () => { throw fail(-32603, "Internal error", { details: "disk full" }); });`,
      { code: "sessions-not-listed", reason: "disk full" },
    ],
    ["its end", "process.exit(3);", { reason: { code: "ended-before-answer" } }],
  ])("[E5] an agent that answers with %s gives a reason", async (_, body, problem) => {
    expect(await list(body)).toMatchObject({ ok: false, problem: { agent: "Fake", ...problem } });
  });
});

describe("a session that the user chose", () => {
  const prompt = `on("session/prompt", ({ sessionId }) => { sendText("in " + sessionId); return { stopReason: "end_turn" }; });`;
  const order = { sessionId: "s7", mustResume: true };

  it("[E3] is resumed by the first message, with a notice", async () => {
    const run = await driveFake(`${both} on("session/resume", () => ({})); ${prompt}`, { order });
    expect(listTexts(run)).toEqual(["in s7"]);
    expect(run.records).toMatchObject([{ type: "notice", code: "session-resumed" }]);
  });

  it.each([
    [
      "does not know it",
      `${both} on("session/resume", () => { throw fail(-32602, "Invalid params", { details: "no such session" }); });`,
      { said: "no such session" },
    ],
    ["resumes none", offers("{}"), {}],
  ])("[E3, E5] is not replaced by a new one where the agent %s: nothing is sent", async (_, body, reason) => {
    const run = await driveFake(body + prompt, { order });
    expect(listTexts(run)).toEqual([]);
    const expected = { code: "session-not-resumed", agent: "Fake", session: "s7", ...reason };
    expect(run.records).toEqual([{ type: "end", status: "failed", code: "session-not-resumed", reason: expected }]);
  });
});
