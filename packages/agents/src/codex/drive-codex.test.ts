import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExecutionId, MessageId } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { createTestContext } from "../driver/driver-context.fixture.ts";
import type { DriverControl } from "../driver/driver-control.ts";
import type { DriverOrder } from "../driver/driver-order.ts";
import { driveCodex } from "./drive-codex.ts";

const program = fileURLToPath(new URL("./fake-codex.fixture.mjs", import.meta.url));
const completed = { method: "turn/completed", params: { threadId: "thread-1", turn: { id: "turn-1", status: "completed" } } };
const commandQuestion = (id: number | string) => ({
  id,
  method: "item/commandExecution/requestApproval",
  params: { threadId: "thread-1", turnId: "turn-1", itemId: "call_1", command: "ls" },
});
const toAnswer = (requestId: string, decision: "allow" | "deny" | "allow-always", reason: string | null = null): DriverControl => ({
  type: "approval",
  toolUseId: "r1_call_1",
  requestId,
  toolName: "command_execution",
  input: {},
  decision,
  reason,
  grant: undefined,
  answers: undefined,
});
const message: DriverControl = { type: "message", id: "msg_1" as MessageId, text: "mind the gap", images: [] };

/** Starts the driver on a Codex with a script. */
function drive(script: object, order: Partial<DriverOrder> = {}, environment?: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), "skein-codex-"));
  const file = join(directory, "script.json");
  writeFileSync(file, JSON.stringify(script));
  const stop = new AbortController();
  const { context, log, records, control } = createTestContext(
    {
      driver: "codex",
      executionId: "exe_r1" as ExecutionId,
      name: "Codex",
      command: [process.execPath, program, file],
      directory,
      message: "a secret prompt",
      ...order,
    },
    { stop: stop.signal, ...(environment === undefined ? {} : { environment }) },
  );
  const ended = driveCodex(context);
  const received = (): Record<string, unknown>[] =>
    readFileSync(`${file}.received`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return {
    ended,
    records,
    log,
    stop,
    directory,
    received,
    logged: () => log.map((line) => line.toString("utf8")).join("\n"),
    control,
    answers: () => received().filter(({ method, args }) => method === undefined && args === undefined),
    hasLogged: (text: string) => vi.waitFor(() => expect(log.map(String).join("\n")).toContain(text), { timeout: 20_000 }),
    hasReceived: (text: string) => vi.waitFor(() => expect(JSON.stringify(received())).toContain(text), { timeout: 20_000 }),
  };
}

describe("questions", () => {
  test("[E10] a request that nobody can answer is rejected, so that Codex does not wait forever", async () => {
    const run = drive({
      reactions: [
        { on: "turn/start", say: [{ id: "x", method: "attestation/generate", params: {} }] },
        { on: "answer", say: [completed] },
      ],
    });
    expect(await run.ended).toBe(0);
    expect(run.answers()).toEqual([{ id: "x", error: { code: -32601, message: "Skein does not answer this request." } }]);
  });

  test("[E10] a duplicate answer is sent once, and a question that Codex cancelled is withdrawn", async () => {
    const resolved = { method: "serverRequest/resolved", params: { threadId: "thread-1", requestId: 0 } };
    const run = drive({
      reactions: [
        { on: "turn/start", say: [commandQuestion(0), resolved, commandQuestion("one")] },
        { on: "answer", say: [completed] },
      ],
    });
    await run.hasLogged('"one"');
    expect(run.records).toEqual([{ type: "approval-withdrawn", toolUseId: "r1_call_1" }]);
    for (const requestId of ["0", '"one"', '"one"']) run.control(toAnswer(requestId, "allow-always"));
    expect(await run.ended).toBe(0);
    expect(run.answers()).toEqual([{ id: "one", result: { decision: "accept" } }]);
  });

  test("[E10] the reason of a denial is sent before the denial", async () => {
    const run = drive({
      reactions: [
        { on: "turn/start", say: [commandQuestion(0)] },
        { on: "answer", say: [completed] },
      ],
    });
    await run.hasLogged("requestApproval");
    run.control(toAnswer("0", "deny", "not today"));
    expect(await run.ended).toBe(0);
    const said = run.received().slice(-2);
    expect(said).toMatchObject([
      { method: "turn/steer", params: { expectedTurnId: "turn-1" } },
      { id: 0, result: { decision: "decline" } },
    ]);
    expect(JSON.stringify(said[0])).toContain("not today");
    expect(run.records).toEqual([]);
  });
});

describe("agent output", () => {
  test("[Q13] invalid lines, lines of 9 MiB and bytes that are not text are logged unchanged, and the work continues", async () => {
    const huge = `{"method":"item/agentMessage/delta","params":{"delta":"${"x".repeat(9 * 1024 * 1024)}"}}`;
    const run = drive({
      reactions: [{ on: "turn/start", say: ["{broken", "", "null", "[1]", huge, { bytes: [0xff, 0xfe, 0x0a] }, completed] }],
    });
    expect(await run.ended).toBe(0);
    const start = run.log.findIndex((line) => line.equals(Buffer.from("{broken")));
    expect(run.log.slice(start, start + 4).map(String)).toEqual(["{broken", "", "null", "[1]"]);
    expect(run.log[start + 4]?.equals(Buffer.from(huge))).toBe(true);
    expect(run.log[start + 5]).toEqual(Buffer.from([0xff, 0xfe]));
  });

  test("[X7] the prompt is in no argument, and not in the log", async () => {
    const run = drive(
      { reactions: [{ on: "turn/start", say: [completed] }] },
      { images: [{ type: "image", mediaType: "image/png", data: "QUJD" }] },
    );
    await run.ended;
    expect(JSON.stringify(run.received()[0])).not.toContain("secret");
    expect(run.received().at(-1)).toMatchObject({
      params: { input: [{ text: "a secret prompt" }, { type: "image", url: "data:image/png;base64,QUJD" }] },
    });
    expect(run.logged()).not.toContain("secret");
  });

  test.each([
    [true, "Everywhere.\n\nHere."],
    [false, "Everywhere.\n\nHere.\n\nInstructions for this repository, from its AGENTS.md:\n\nUse tabs."],
  ])(
    "[R5] the user's own prompts are developer instructions, before those of the repository (trusted: %s)",
    async (trustsRepository, text) => {
      const directory = mkdtempSync(join(tmpdir(), "skein-codex-words-"));
      writeFileSync(join(directory, "AGENTS.md"), "Use tabs.");
      const run = drive(
        { reactions: [{ on: "turn/start", say: [completed] }] },
        { directory, trustsRepository, systemPrompts: ["Everywhere.", "Here."] },
      );
      expect(await run.ended).toBe(0);
      const started = run.received().find(({ method }) => method === "thread/start");
      expect(started).toMatchObject({ params: { developerInstructions: text } });
    },
  );

  test("[E5] Codex exiting during a turn is a failure, whatever its exit code", async () => {
    const silent = drive({ reactions: [{ on: "turn/start", say: [{ exit: 0 }] }] });
    expect(await silent.ended).toBe(1);
    expect(silent.records).toEqual([{ type: "notice", text: { code: "ended-unfinished", agent: "Codex" }, code: "agent-error" }]);
    expect(await drive({ reactions: [{ on: "turn/start", say: [{ exit: 7 }] }] }).ended).toBe(7);
    expect(await drive({ answers: { "thread/start": { exit: 6 } } }).ended).toBe(6);
  });

  test("a turn of a subagent is not the end", async () => {
    const other = { method: "turn/completed", params: { threadId: "thread-2", turn: { id: "turn-9", status: "completed" } } };
    const run = drive({
      reactions: [
        { on: "turn/start", say: [other, commandQuestion(0)] },
        { on: "answer", say: [completed] },
      ],
    });
    await run.hasLogged("requestApproval");
    run.control(toAnswer("0", "allow"));
    expect(await run.ended).toBe(0);
    expect(run.answers()).toHaveLength(1);
  });
});

describe("stops and steering", () => {
  test("a message that Codex accepts is recorded once", async () => {
    const run = drive({
      reactions: [
        { on: "turn/start", say: ["begun"] },
        { on: "turn/steer", say: [completed] },
      ],
    });
    await run.hasLogged("begun");
    run.control(message);
    run.control(message);
    expect(await run.ended).toBe(0);
    expect(run.records).toEqual([{ type: "user-message", messageId: "msg_1", text: "mind the gap" }]);
    expect(run.received().filter(({ method }) => method === "turn/steer")).toHaveLength(1);
  });

  test("one that it rejects is not: it becomes the next message", async () => {
    const answers = { "turn/steer": { error: { code: -32600, message: "no active turn to steer" } } };
    const run = drive({
      answers,
      reactions: [
        { on: "turn/start", say: ["begun"] },
        { on: "turn/steer", say: [completed] },
      ],
    });
    await run.hasLogged("begun");
    run.control(message);
    expect(await run.ended).toBe(0);
    expect(run.records).toEqual([]);
  });

  test("[Q6] a stop interrupts the turn, or ends what has not begun", async () => {
    const run = drive({
      reactions: [
        { on: "turn/start", say: ["begun"] },
        { on: "turn/interrupt", say: [completed] },
      ],
    });
    await run.hasLogged("begun");
    run.stop.abort();
    await run.ended;
    expect(run.received().at(-1)).toMatchObject({ method: "turn/interrupt", params: { threadId: "thread-1", turnId: "turn-1" } });

    const early = drive({ answers: { "thread/start": false } });
    await early.hasReceived("thread/start");
    early.stop.abort();
    expect(await early.ended).toBeGreaterThan(128);
    expect(early.received().some(({ method }) => method === "turn/start")).toBe(false);
  });

  test("[Q6] codex exec is interrupted", async () => {
    const run = drive({ answers: { initialize: { exit: 1 } }, exec: [{ type: "thread.started", thread_id: "t" }], hangs: true });
    await run.hasLogged("thread.started");
    run.stop.abort();
    expect(await run.ended).toBe(130);
  });
});

describe("where a thread starts", () => {
  test("[E3] an unknown thread is replaced by a new one with the transcript, and the old one is not requested again", async () => {
    const answers = { "thread/resume": { error: { code: -32600, message: "no rollout found" } } };
    const run = drive({ answers, reactions: [{ on: "turn/start", say: [completed] }] }, { sessionId: "gone", transcript: "<user>\nhello" });
    expect(await run.ended).toBe(0);
    expect(run.received().map(({ method }) => method)).toEqual([
      ...[undefined, "initialize", "initialized", "account/read", "thread/resume", "thread/start", "turn/start"],
    ]);
    expect(JSON.stringify(run.received().at(-1))).toContain(JSON.stringify("<user>\nhello").slice(1, -1));
    expect(run.records).toMatchObject([{ type: "notice", code: "session-not-found" }]);
  });

  test("[E3] a version that always replays a thread resumes it, too (0.149)", async () => {
    const error = { code: -32600, message: "thread/resume.excludeTurns requires experimentalApi capability" };
    const reactions = [
      { on: "thread/resume", say: [{ id: 3, error }] },
      { on: "thread/resume", say: [{ id: 4, result: { thread: { id: "thread-1" } } }] },
      { on: "turn/start", say: [completed] },
    ];
    const run = drive({ answers: { "thread/resume": false }, reactions }, { sessionId: "thread-1", transcript: "<user>\nhello" });
    expect(await run.ended).toBe(0);
    const resumed = run.received().filter(({ method }) => method === "thread/resume");
    expect(resumed.map(({ params }) => Object.keys(params ?? {}).includes("excludeTurns"))).toEqual([true, false]);
    expect(JSON.stringify(run.received().at(-1))).not.toContain("hello");
    expect(run.records).toEqual([]);
  });

  test.each([
    ["ends at once", { initialize: { exit: 1 } }],
    ["speaks an older protocol", { "thread/start": { error: { code: -32600, message: "unknown variant `thread/start`" } } }],
  ])("an app server that %s: codex exec is used, without a system prompt, and reports that", async (_, answers) => {
    const run = drive(
      { answers, exec: [{ type: "thread.started", thread_id: "t" }] },
      { model: "-m evil", sessionId: null, systemPrompts: ["Be brief."] },
    );
    expect(await run.ended).toBe(0);
    expect(run.records.map((record) => "code" in record && record.code)).toEqual(["cannot-ask", "system-prompt-left-out"]);
    const [, started] = run.received().filter(({ args }) => args !== undefined);
    const trust = `projects={${JSON.stringify(run.directory)}={trust_level="untrusted"}}`;
    expect(started).toEqual({
      args: ["exec", "--json", "--skip-git-repo-check", "-s", "read-only", "-c", trust, "-c", 'model="-m evil"', "-"],
    });
    expect(run.received().at(-1)).toEqual({ prompt: "a secret prompt" });
    expect(run.logged()).toContain("thread.started");
  });

  test("[E9] codex exec resumes a thread: its usage so far is a record, before the first line", async () => {
    const home = mkdtempSync(join(tmpdir(), "skein-codex-home-"));
    const folder = join(home, "sessions/2026/11/18");
    mkdirSync(folder, { recursive: true });
    const count = { type: "token_count", info: { total_token_usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 10 } } };
    writeFileSync(join(folder, "rollout-2026-11-18-thread-1.jsonl"), `${JSON.stringify({ type: "event_msg", payload: count })}\n`);
    const run = drive(
      { answers: { initialize: { exit: 1 } }, exec: [{ type: "thread.started", thread_id: "thread-1" }] },
      { sessionId: "thread-1", permissionMode: "full" },
      { PATH: process.env.PATH ?? "", CODEX_HOME: home },
    );
    expect(await run.ended).toBe(0);
    expect(run.records).toEqual([{ type: "usage-before", usage: { inputTokens: 100, cacheReadTokens: 40, outputTokens: 10 } }]);
    expect(run.logged()).not.toContain("usage");
  });

  test("a missing login and a missing program are reported", async () => {
    const loggedOut = drive({ answers: { "account/read": { result: { account: null, requiresOpenaiAuth: true } } } });
    await loggedOut.ended;
    expect(loggedOut.records).toMatchObject([{ type: "end", status: "failed", reason: { code: "agent-not-logged-in", agent: "Codex" } }]);
    const gone = drive({}, { command: ["/nowhere/codex"] });
    expect(await gone.ended).toBe(127);
    expect(gone.records).toMatchObject([{ type: "end", status: "failed", code: "agent-not-started" }]);
  });
});

describe("[E2] a message that is sent again", () => {
  const asked = { type: "userMessage", id: "i1", content: [{ type: "text", text: "a secret prompt" }] };
  const unanswered = { id: "turn-9", status: "failed", items: [asked] };
  const openings = async (listed: object, change: object = {}, order: Partial<DriverOrder> = { isRetry: true }) => {
    const fork = { result: { thread: { id: "thread-1" }, model: "gpt" } };
    const answers = { "thread/turns/list": listed, "thread/fork": fork, ...change };
    const run = drive({ answers, reactions: [{ on: "turn/start", say: [completed] }] }, { sessionId: "thread-0", ...order });
    expect(await run.ended).toBe(0);
    return run.received().flatMap(({ method, params }) => {
      if (method !== "thread/fork" && method !== "thread/resume") return [];
      const { threadId, beforeTurnId } = params as { threadId: string; beforeTurnId?: string };
      return [[method, threadId, beforeTurnId]];
    });
  };
  const resumed = [["thread/resume", "thread-0", undefined]];

  test("continues in a branch of the thread that ends before it", async () => {
    expect(await openings({ result: { data: [unanswered] } })).toEqual([["thread/fork", "thread-0", "turn-9"]]);
  });

  test.each([
    ["has ended with an answer", { result: { data: [{ ...unanswered, status: "completed" }] } }],
    ["has an answer that was cut off", { result: { data: [{ ...unanswered, items: [asked, { type: "agentMessage", text: "Well" }] }] } }],
    ["ends with another message", { result: { data: [{ ...unanswered, items: [{ ...asked, content: [{ type: "text", text: "x" }] }] }] } }],
    ["has no turns", { result: { data: [] } }],
    ["cannot be listed by this version", { error: { message: "unknown variant" } }],
  ])("continues at the end of a thread that %s", async (_what, listed) => {
    expect(await openings(listed)).toEqual(resumed);
  });

  test("continues at the end of a thread that this version cannot branch there", async () => {
    const opened = await openings({ result: { data: [unanswered] } }, { "thread/fork": { error: { message: "unknown field" } } });
    expect(opened).toEqual([["thread/fork", "thread-0", "turn-9"], ...resumed]);
  });

  test("is looked for only then", async () => {
    expect(await openings({ result: { data: [unanswered] } }, {}, {})).toEqual(resumed);
  });
});
