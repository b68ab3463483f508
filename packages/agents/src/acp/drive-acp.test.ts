import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ExecutionId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { createAcpDecoder } from "./create-acp-decoder.ts";
import { driveFake, listTexts, newDirectory } from "./fake-agent.fixture.ts";

describe("the end", () => {
  it.each(["", 'process.on("SIGTERM", () => {});'])(
    "[E5] an agent that ignores the end of its stdin is not waited for %s",
    async (more) => {
      const directory = newDirectory();
      const late = join(directory, "late");
      const run = await driveFake(
        `import { writeFileSync } from "node:fs"; ${more} process.exit = () => {};
      on("session/prompt", () => { setTimeout(() => writeFileSync(${JSON.stringify(late)}, ""), 4000); setInterval(() => {}, 1000); sendText("done"); return { stopReason: "end_turn" }; });`,
        { directory },
      );
      expect([run.exitCode, listTexts(run), existsSync(late)]).toEqual([0, ["done"], false]);
    },
  );
});

describe("misbehaving agents", () => {
  it("unknown requests are answered with “method not found”; unknown notifications and other output are skipped (Qwen Code)", async () => {
    const run = await driveFake(`
      print("Loading models…\\n\\n{not json}\\n[1,2]\\n");
      on("session/prompt", async () => {
        send({ method: "qwen/notify/session/update", params: { a: 1 } });
        sendText(String((await ask("qwen/request/extension", {})).error.code));
        update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "x", description: "y".repeat(563000) }] });
        update({ sessionUpdate: "no_such_update" });
        print('\\u001e{"type":"end","status":"success"}\\n');
        return { stopReason: "end_turn" };
      });`);
    expect(listTexts(run)).toEqual(["-32601"]);
    expect(run.lines.slice(0, 4)).toContain("Loading models…");
    expect(Math.max(...run.lines.map((line) => line.length))).toBeGreaterThan(563_000);
    // only the driver may write the driver's records
    expect(run.records).toEqual([]);
  });

  it("[E3] a session that it does not know is replaced by a new one with the conversation so far, and that is reported", async () => {
    const run = await driveFake(
      `on("initialize", () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }));
       on("session/load", () => { throw fail(-32603, "Internal error", { details: "No previous sessions found" }); });
       on("session/prompt", ({ prompt }) => { sendText(prompt[0].text); return { stopReason: "end_turn" }; });`,
      { order: { sessionId: "old", transcript: "<user>\nhello" } },
    );
    expect(listTexts(run)[0]).toMatch(/<transcript>\n<user>\nhello\n<\/transcript>\s.*Do it$/s);
    expect(run.records).toMatchObject([{ type: "notice", code: "session-replaced" }]);
  });

  describe("a resumed session whose prompt is refused", () => {
    const unpaired = "Please ensure that the number of function response parts is equal to the number of function call parts.";
    const refuse = (message: string, before = "") =>
      `on("initialize", () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }));
       on("session/load", () => ({ models: { currentModelId: "a" } }));
       on("session/new", () => ({ sessionId: "new", models: { currentModelId: "a" } }));
       on("session/set_model", ({ sessionId, modelId }) => { sendText(sessionId + " " + modelId); return {}; });
       on("session/prompt", async ({ sessionId, prompt }) => {
         if (sessionId === "old") { ${before} throw fail(400, ${JSON.stringify(message)}); }
         sendText(prompt[0].text);
         return { stopReason: "end_turn" };
       });`;
    const order = { sessionId: "old", transcript: "<user>\nhello", model: "b" };

    it("[E3] is replaced by a new one if its history is rejected: with the conversation, its settings and a notice", async () => {
      const run = await driveFake(refuse(unpaired), { order });
      expect(listTexts(run).slice(0, 2)).toEqual(["old b", "new b"]);
      expect(listTexts(run).slice(2)).toEqual([expect.stringMatching(/<transcript>\n<user>\nhello\n<\/transcript>\s.*Do it$/s)]);
      expect(run.records).toMatchObject([{ type: "notice", code: "session-replaced" }]);
    });

    it.each([
      ["for another reason", refuse("API key not valid"), order],
      ["after it has begun to work: nothing is done twice", refuse(unpaired, 'sendText("begun");'), order],
      ["in a session that was new", refuse(unpaired).replace('=== "old"', '=== "new"'), { ...order, sessionId: null }],
    ])("[E3, E5] is not replaced when it is refused %s", async (_when, body, given) => {
      const run = await driveFake(body, { order: given });
      expect(run.log.filter(({ method }) => method === "session/prompt")).toHaveLength(1);
      expect(run.records).toEqual([]);
    });
  });

  it.each([
    ["is resumed where the agent offers that, without a replay of its history", "return {};", ["session/resume"]],
    ["is loaded where it cannot be resumed", 'throw fail(-32602, "Unknown session");', ["session/resume", "session/load"]],
  ])("[E3] a session %s", async (_, resume, methods) => {
    const run = await driveFake(
      `on("initialize", () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } }));
       on("session/resume", () => { ${resume} });
       on("session/load", () => { sendText("old"); return {}; });
       on("session/prompt", ({ sessionId, prompt }) => { sendText(sessionId + ": " + prompt[0].text); return { stopReason: "end_turn" }; });`,
      { order: { sessionId: "s7", transcript: "x" } },
    );
    expect(run.log.map(({ method }) => method).filter((method) => /^session\/(?:resume|load|new)$/.test(String(method)))).toEqual(methods);
    expect([listTexts(run).at(-1), run.records]).toEqual(["s7: Do it", []]);
    // its replay is not shown, and the end is that of the prompt
    const decoder = createAcpDecoder({ executionId: "exe_1" as ExecutionId });
    const outputs = run.lines.flatMap((text, index) => decoder.decode({ text, offset: index * 1000, at: index }));
    expect(outputs.filter(({ type }) => type === "text")).toMatchObject([{ text: "s7: Do it" }]);
    expect(outputs.filter(({ type }) => type === "session")).toMatchObject([{ sessionId: "s7" }]);
    expect(outputs.filter(({ type }) => type === "end").at(-1)).toMatchObject({ status: "success" });
  });

  it("[E3] history that it replays after it has answered the load comes before the prompt", async () => {
    const run = await driveFake(
      `on("initialize", () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }));
       on("session/load", () => { for (const ms of [5, 100, 200, 300]) setTimeout(() => sendText("old"), ms); return {}; });
       on("session/prompt", ({ prompt }) => { sendText(prompt[0].text); return { stopReason: "end_turn" }; });`,
      { order: { sessionId: "s1", transcript: "x" } },
    );
    expect(listTexts(run)).toEqual(["old", "old", "old", "old", "Do it"]);
    const methods = run.log.map(({ method }) => method).filter((method) => method !== undefined);
    expect(methods).toEqual([
      "initialize",
      "session/load",
      ...Array.from({ length: 4 }, () => "session/update"),
      "session/prompt",
      "session/update",
    ]);
  });

  it("one that requires a login is reported with how to log in; a key in the environment logs it in", async () => {
    const body = `let isIn = false; on("authenticate", ({ methodId }) => { isIn = methodId === "key"; return {}; });
      on("session/new", () => { if (!isIn) throw fail(-32000, "Authentication required"); return { sessionId: "s1" }; });
      on("session/prompt", () => { sendText("in"); return { stopReason: "end_turn" }; });`;
    const out = await driveFake(body);
    expect(out.records).toEqual([
      {
        type: "end",
        status: "failed",
        reason: { code: "agent-not-logged-in", agent: "Fake", login: { command: "fake login" } },
        code: "not-logged-in",
      },
    ]);
    const keyed = await driveFake(body, { options: { keyLogin: { methodId: "key", variable: "PATH" } } });
    expect(listTexts(keyed)).toEqual(["in"]);
  });

  it.each([
    ["dies in its work", "on('session/prompt', () => process.exit(3));", 3, []],
    ["ends quietly", "on('session/prompt', () => process.exit(0));", 0, [{ type: "end", status: "failed" }]],
    [
      "closes its output",
      "on('session/prompt', () => { process.stdout.end(); return new Promise(() => {}); });",
      0,
      [{ type: "end", status: "failed" }],
    ],
    [
      "speaks another version",
      "on('initialize', () => ({ protocolVersion: 7 }));",
      0,
      [{ type: "end", status: "failed", reason: { code: "protocol-version-differs", theirs: 7 } }],
    ],
    ["names no session", "on('session/new', () => ({}));", 0, [{ type: "end", status: "failed", reason: { code: "session-not-named" } }]],
  ])("one that %s ends the execution", async (_, body, exitCode, records) => {
    const run = await driveFake(body);
    expect(run.exitCode).toBe(exitCode);
    expect(run.records).toMatchObject(records);
  });

  it("one that takes no images gets the text, and that is reported", async () => {
    const run = await driveFake(
      `on("session/prompt", ({ prompt }) => { sendText(String(prompt.length)); return { stopReason: "end_turn" }; });`,
      { order: { images: [{ type: "image", mediaType: "image/png", data: "AA==" }] } },
    );
    expect(listTexts(run)).toEqual(["1"]);
    expect(run.records).toMatchObject([{ type: "notice", code: "images-left-out" }]);
  });

  it("[E4] one that reports a cancelled prompt as a regular end was still stopped", async () => {
    const stopping = new AbortController();
    const run = await driveFake(
      `let done; on("session/cancel", () => done({ stopReason: "end_turn" })); on("session/prompt", () => { sendText("begun"); return new Promise((resolve) => { done = resolve; }); });`,
      { stop: stopping.signal, onLine: (line) => line.includes("begun") && stopping.abort() },
    );
    expect(run.records).toEqual([{ type: "end", status: "cancelled" }]);
  });

  it("one that starts in a mode without approvals is switched to one that asks, and gets the model", async () => {
    const run = await driveFake(
      `on("session/new", () => ({ sessionId: "s1", modes: { currentModeId: "yolo", availableModes: [{ id: "yolo" }, { id: "default" }] }, models: { currentModelId: "a", availableModels: [] } }));
       on("session/set_mode", ({ modeId }) => { sendText(modeId); return {}; });
       on("session/set_model", ({ modelId }) => { sendText(modelId); return {}; });
       on("session/prompt", () => ({ stopReason: "end_turn" }));`,
      { order: { model: "b" } },
    );
    expect(listTexts(run)).toEqual(["default", "b"]);
  });
});
