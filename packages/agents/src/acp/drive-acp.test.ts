import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalDecision, ExecutionId, MessageId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { DriverControl } from "../driver/driver-control.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";
import { driveFake, listTexts, newDirectory } from "./fake-agent.fixture.ts";

const question = (id: string, kind: string, more = "") =>
  `ask("session/request_permission", { toolCall: { toolCallId: "${id}", kind: "${kind}", title: "t-${id}" ${more} }, options: [
    { optionId: "yes", kind: "allow_once", name: "Yes" }, { optionId: "always", kind: "allow_always", name: "Always" }, { optionId: "no", kind: "reject_once", name: "No" }] })`;

/** Answers the question in a logged line. */
function answerWith(decision: ApprovalDecision, reason: string | null = null) {
  return (line: string, control: (control: DriverControl) => void): void => {
    const { id, method } = JSON.parse(line) as { id?: string; method?: string };
    if (method !== "session/request_permission") return;
    const requestId = JSON.stringify({ id, options: { allow: "yes", "allow-always": "always", deny: "no" } });
    const answer = { type: "approval", toolUseId: "u", requestId, toolName: "x", input: null, decision, reason } as const;
    // twice: a restarted server sends it again
    queueMicrotask(() => {
      control({ ...answer, grant: undefined, answers: undefined });
      control({ ...answer, decision: "deny", grant: undefined, answers: undefined });
    });
  };
}

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

describe("questions", () => {
  const body = `on("session/prompt", async () => { const { result } = await ${question("c1", "execute")}; sendText(JSON.stringify(result.outcome)); return { stopReason: "end_turn" }; });`;

  it.each([
    ["allow", "yes"],
    // its own “always” may allow more than was shown
    ["allow-always", "yes"],
    ["deny", "no"],
  ] as const)("[E10, X17] %s is answered with the agent's own option for this time, once", async (decision, optionId) => {
    const run = await driveFake(body, { onLine: answerWith(decision) });
    expect(listTexts(run)).toEqual([JSON.stringify({ outcome: "selected", optionId })]);
  });

  it("[E10] in mode full nothing is asked: the log has the call without a question", async () => {
    const run = await driveFake(body, { order: { permissionMode: "full" } });
    expect(listTexts(run)).toEqual([JSON.stringify({ outcome: "selected", optionId: "yes" })]);
    expect(run.log.filter(({ method }) => method === "session/request_permission")).toEqual([]);
    expect(run.log).toContainEqual({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "s1",
        update: { sessionUpdate: "tool_call_update", toolCallId: "c1", kind: "execute", title: "t-c1", status: "pending" },
      },
    });
  });

  it("[E10] model and permission mode can change during a prompt, and a message waits for the next one", async () => {
    const asking = `let go; on("session/new", () => ({ sessionId: "s1", models: { currentModelId: "a" } }));
      on("session/set_model", ({ modelId }) => { sendText(modelId); go(); return {}; });
      on("session/prompt", async () => { sendText("begun"); await new Promise((resolve) => { go = resolve; }); sendText(JSON.stringify((await ${question("c1", "execute")}).result.outcome)); return { stopReason: "end_turn" }; });`;
    const run = await driveFake(asking, {
      onLine(line, control) {
        if (!line.includes("begun")) return;
        control({ type: "message", id: "msg_1" as MessageId, text: "And this", images: [] });
        control({ type: "settings", model: "b", permissionMode: "full" });
      },
    });
    expect(listTexts(run)).toEqual(["begun", "b", JSON.stringify({ outcome: "selected", optionId: "yes" })]);
    expect(run.records).toEqual([]);
  });

  describe("[E10] an agent that acts without a question in a mode that should ask is reported, once", () => {
    const call = (id: string, fields: object) =>
      `update(${JSON.stringify({ sessionUpdate: "tool_call", toolCallId: id, status: "pending", title: id, ...fields })}); update(${JSON.stringify({ sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" })});`;
    const run = async (calls: string, permissionMode: "ask" | "accept-edits" | "full" = "ask") => {
      const { records } = await driveFake(`on("session/prompt", async () => { ${calls} return { stopReason: "end_turn" }; });`, {
        order: { permissionMode },
        onLine: answerWith("allow"),
      });
      return records.flatMap((record) => (record.type === "notice" ? [record.code] : []));
    };
    const edit = call("e", { kind: "edit" });
    const command = call("x", { kind: "execute", rawInput: { command: "touch a.txt" } });

    it("edits and commands", async () => {
      expect(await run(edit + command)).toEqual(["permissions-ignored"]);
      expect(await run(command)).toEqual(["permissions-ignored"]);
      expect(await run(edit, "accept-edits")).toEqual([]);
      expect(await run(command, "accept-edits")).toEqual(["permissions-ignored"]);
      expect(await run(edit + command, "full")).toEqual([]);
    });

    it("not for reads, calls that were asked about, or replayed ones", async () => {
      const reading = call("l", { kind: "execute", rawInput: { command: "ls -l" } }) + call("r", { kind: "read" });
      expect(await run(reading)).toEqual([]);
      expect(await run(`await ${question("e", "edit")}; ${edit} ${command}`)).toEqual([]);
      const past = `on("initialize", () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }));
        on("session/load", async () => { ${edit} return {}; }); on("session/prompt", () => ({ stopReason: "end_turn" }));`;
      expect((await driveFake(past, { order: { sessionId: "s1" } })).records).toEqual([]);
    });
  });

  it.each(["end_turn", "cancelled"])("[E10] the reason of a denial is the next prompt, also after %s", async (stopReason) => {
    const prompts = `const texts = []; on("session/prompt", async ({ prompt }) => { texts.push(prompt[0].text); if (texts.length === 1) await ${question("c1", "edit")}; else sendText(texts.at(-1)); return { stopReason: texts.length === 1 ? "${stopReason}" : "end_turn" }; });`;
    const run = await driveFake(prompts, { onLine: answerWith("deny", "Not there.") });
    expect(listTexts(run)).toEqual(["I did not allow “t-c1”: Not there."]);
  });

  describe("an edited plan", () => {
    const approve = (line: string, control: (control: DriverControl) => void): void => {
      const { id, method } = JSON.parse(line) as { id?: string; method?: string };
      if (method !== "session/request_permission") return;
      const requestId = JSON.stringify({ id, options: { allow: "yes", deny: "no" } });
      const answer = { toolUseId: "u", requestId, toolName: "x", input: null, decision: "allow", reason: null } as const;
      const plan = { mode: "ask", text: "Do less." } as const;
      queueMicrotask(() => control({ type: "approval", ...answer, grant: undefined, answers: undefined, plan }));
    };
    const modes = `on("session/new", () => ({ sessionId: "s1", modes: { currentModeId: "plan", availableModes: ["code", "plan"].map((id) => ({ id, name: id })) } })); on("session/set_mode", () => ({}));`;
    const asked = question("c1", "switch_mode", ', name: "ExitPlanMode", rawInput: { plan: "Do it." }');

    it("[E10] ends the prompt before the question is answered: the agent must not continue without the plan", async () => {
      const body = `${modes} let end; on("session/cancel", () => { sendText("cancelled"); setTimeout(end, 100, { stopReason: "cancelled" }); });
        on("session/prompt", ({ prompt }) => { if (end !== undefined) { sendText(prompt[0].text); return new Promise((resolve) => setTimeout(resolve, 100, { stopReason: "end_turn" })); }
          void ${asked}.then(({ result }) => sendText(result.outcome.outcome)); return new Promise((resolve) => { end = (answer) => { sendText("ended"); resolve(answer); }; }); });`;
      const run = await driveFake(body, { order: { permissionMode: "plan" }, onLine: approve });
      expect(listTexts(run).slice(0, 2)).toEqual(["cancelled", "ended"]);
      expect(listTexts(run).slice(2).toSorted()).toEqual([expect.stringContaining("Do less."), "cancelled"]);
    });

    it("[E10] an agent that ends no prompt while its question is open gets the answer, and then the plan", async () => {
      const body = `${modes} const order = []; on("session/cancel", () => { order.push("cancel"); });
        on("session/prompt", async ({ prompt }) => { if (order.length > 0) { sendText(prompt[0].text); return { stopReason: "end_turn" }; }
          const { result } = await ${asked}; order.push(result.outcome.outcome); sendText(order.join()); return { stopReason: "cancelled" }; });`;
      const run = await driveFake(body, { order: { permissionMode: "plan" }, onLine: approve });
      expect(listTexts(run)).toEqual(["cancel,cancelled", expect.stringContaining("Do less.")]);
    });

    it("[E10] a question whose plan never arrives is asked without one", async () => {
      const early = question("c1", "switch_mode", ', name: "ExitPlanMode", rawInput: {}');
      const body = `${modes} on("session/prompt", async () => { await ${early}; return { stopReason: "end_turn" }; });`;
      const run = await driveFake(body, { order: { permissionMode: "plan" }, onLine: answerWith("deny") });
      const questions = run.log.filter(({ method }) => method === "session/request_permission");
      expect(questions).toMatchObject([{ params: { toolCall: { toolCallId: "c1", rawInput: {} } } }]);
    });

    it("[E10] a question that arrives before its plan is asked once the plan is known", async () => {
      const early = question("c1", "switch_mode", ', name: "ExitPlanMode", rawInput: {}');
      const body = `${modes} on("session/prompt", async () => { const waiting = ${early};
          setTimeout(() => update({ sessionUpdate: "tool_call_update", toolCallId: "c1", rawInput: { plan: "Do it." } }), 50);
          await waiting; return { stopReason: "end_turn" }; });`;
      const run = await driveFake(body, { order: { permissionMode: "plan" }, onLine: answerWith("deny") });
      const questions = run.log.filter(({ method }) => method === "session/request_permission");
      expect(questions).toMatchObject([{ params: { toolCall: { toolCallId: "c1", rawInput: { plan: "Do it." } } } }]);
    });

    it("[E10] is sent again where the agent cancels the prompt that has it, too", async () => {
      const body = `${modes} let prompts = 0; on("session/prompt", async ({ prompt }) => { prompts += 1;
          if (prompts === 1) await ${asked}; if (prompts === 3) sendText(prompt[0].text); return { stopReason: prompts < 3 ? "cancelled" : "end_turn" }; });`;
      const run = await driveFake(body, { order: { permissionMode: "plan" }, onLine: approve });
      expect(listTexts(run)).toEqual([expect.stringContaining("Do less.")]);
    });
  });

  it("[E10] a question that the agent cancels is withdrawn", async () => {
    const takeBack = `on("session/prompt", async () => { const waiting = ${question("c1", "execute")}; send({ method: "$/cancel_request", params: { requestId: "q0" } }); sendText(JSON.stringify((await waiting).result)); return { stopReason: "end_turn" }; });`;
    const run = await driveFake(takeBack);
    expect(run.records).toContainEqual({ type: "approval-withdrawn", toolUseId: "1_c1" });
  });

  it.each([
    ["a.txt", true],
    ["../outside.txt", false],
    [".git/hooks/post-commit", false],
    [".claude/settings.json", false],
    ["link/a.txt", false],
  ])("[X10] in accept-edits an edit of %s is allowed without a question: %s", async (path, isAllowed) => {
    const directory = newDirectory();
    symlinkSync(newDirectory(), join(directory, "link"));
    const edit = `on("session/prompt", async () => { sendText(JSON.stringify((await ${question("c1", "edit", `, locations: [{ path: ${JSON.stringify(path)} }]`)}).result.outcome)); return { stopReason: "end_turn" }; });`;
    const run = await driveFake(edit, { directory, order: { permissionMode: "accept-edits" }, onLine: answerWith("deny") });
    expect(listTexts(run)).toEqual([JSON.stringify({ outcome: "selected", optionId: isAllowed ? "yes" : "no" })]);
  });

  it.each([
    ["full", "a.txt", true],
    ["full", ".husky/pre-commit", false],
    ["full", "tools/hook.mjs", false],
    ["accept-edits", "tools/hook.mjs", false],
  ] as const)(
    "[X10, X16] in mode %s an edit of %s, of which tools/hook.mjs is run by trusted settings, is allowed without a question: %s",
    async (permissionMode, path, isAllowed) => {
      const edit = `on("session/prompt", async () => { sendText(JSON.stringify((await ${question("c1", "edit", `, locations: [{ path: ${JSON.stringify(path)} }]`)}).result.outcome)); return { stopReason: "end_turn" }; });`;
      const order = { permissionMode, trustedFiles: ["tools/hook.mjs"] };
      const run = await driveFake(edit, { directory: newDirectory(), order, onLine: answerWith("deny") });
      expect(listTexts(run)).toEqual([JSON.stringify({ outcome: "selected", optionId: isAllowed ? "yes" : "no" })]);
    },
  );
});

it("[X10] in full access a question about a protected file is asked, also where only the call before it names the file", async () => {
  const call = { sessionUpdate: "tool_call", toolCallId: "c1", kind: "edit", title: "t", locations: [{ path: ".husky/pre-commit" }] };
  const asked = `ask("session/request_permission", { toolCall: { toolCallId: "c1" }, options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }, { optionId: "no", name: "No", kind: "reject_once" }] })`;
  const body = `on("session/prompt", async () => { update(${JSON.stringify(call)}); sendText((await ${asked}).result.outcome.optionId); return { stopReason: "end_turn" }; });`;
  expect(listTexts(await driveFake(body, { order: { permissionMode: "full" }, onLine: answerWith("deny") }))).toEqual(["no"]);
});

describe("files", () => {
  const tryAll = (requests: string[]) =>
    `on("session/prompt", async () => { for (const [method, params] of [${requests.join(",")}]) { const { result, error } = await ask(method, params); sendText(error === undefined ? JSON.stringify(result) : "refused " + error.code); } return { stopReason: "end_turn" }; });`;

  it("[X10] are read and written only inside the working folder, by their real path", async () => {
    const directory = newDirectory();
    const outside = newDirectory();
    writeFileSync(join(outside, "secret.txt"), "secret");
    mkdirSync(join(directory, ".git"));
    symlinkSync(outside, join(directory, "link"));
    writeFileSync(join(directory, "a.txt"), "one\ntwo\nthree\n");
    const read = (path: string, more = "") => `["fs/read_text_file", { path: ${JSON.stringify(path)} ${more} }]`;
    const write = (path: string) => `["fs/write_text_file", { path: ${JSON.stringify(path)}, content: "new" }]`;
    const run = await driveFake(
      tryAll([
        read(join(directory, "a.txt")),
        read(join(directory, "a.txt"), ", line: 2, limit: 1"),
        read(join(outside, "secret.txt")),
        read(join(directory, "link/secret.txt")),
        read(join(directory, "missing.txt")),
        write(join(directory, "made/b.txt")),
        write(join(directory, "link/secret.txt")),
        write(`${directory}-evil/x.txt`),
        write(join(directory, ".git/config")),
        write(join(directory, ".gemini/settings.json")),
      ]),
      { directory },
    );
    expect(listTexts(run)).toEqual([
      '{"content":"one\\ntwo\\nthree\\n"}',
      '{"content":"two\\n"}',
      "refused -32602",
      "refused -32602",
      "refused -32002",
      "{}",
      "refused -32602",
      "refused -32602",
      "refused -32602",
      "refused -32602",
    ]);
    expect(readFileSync(join(directory, "made/b.txt"), "utf8")).toBe("new");
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(directory, ".git/config"))).toBe(false);
  });

  it("[X10] a protected file is written once the user has agreed to its change, and once only", async () => {
    const directory = newDirectory();
    const write = (path: string, content: string) =>
      `sendText(JSON.stringify((await ask("fs/write_text_file", { path: ${JSON.stringify(join(directory, path))}, content: "${content}" })).error?.code ?? "written"));`;
    const body = `on("session/prompt", async () => { ${write(".envrc", "0")} await ${question("c1", "edit", ', locations: [{ path: ".envrc" }]')}; ${write(".husky/pre-commit", "1")} ${write(".envrc", "2")} ${write(".envrc", "3")} return { stopReason: "end_turn" }; });`;
    const allowed = await driveFake(body, { directory, onLine: answerWith("allow") });
    expect(listTexts(allowed)).toEqual(["-32602", "-32602", '"written"', "-32602"]);
    expect(readFileSync(join(directory, ".envrc"), "utf8")).toBe("2");
    expect(listTexts(await driveFake(body, { directory, onLine: answerWith("deny") }))).not.toContain('"written"');
  });

  it("[X10] approval of a change to an ordinary file does not cover a link that replaces it", async () => {
    const directory = newDirectory();
    writeFileSync(join(directory, "a.txt"), "");
    mkdirSync(join(directory, ".git"));
    const swap = `const fs = await import("node:fs"); fs.rmSync("a.txt"); fs.symlinkSync(".git/config", "a.txt");`;
    const body = `on("session/prompt", async () => { await ${question("c1", "edit", ', locations: [{ path: "a.txt" }]')}; ${swap} sendText(String((await ask("fs/write_text_file", { path: ${JSON.stringify(join(directory, "a.txt"))}, content: "x" })).error?.code)); return { stopReason: "end_turn" }; });`;
    expect(listTexts(await driveFake(body, { directory, onLine: answerWith("allow") }))).toEqual(["-32602"]);
    expect(existsSync(join(directory, ".git/config"))).toBe(false);
  });

  it("what was not offered is refused as unknown", async () => {
    const files = { read: false, write: false };
    const body = tryAll(['["fs/read_text_file", { path: "/x" }]', '["fs/write_text_file", { path: "/x", content: "" }]']);
    expect(listTexts(await driveFake(body, { options: { files } }))).toEqual(["refused -32601", "refused -32601"]);
  });
});

describe("terminals", () => {
  it("[T7, Q6] run in the folder, stream into their call, and end with the execution", async () => {
    const run = await driveFake(`
      on("session/prompt", async () => {
        const start = (command) => ask("terminal/create", { command: "/bin/sh", args: ["-c", command] });
        const { result: { terminalId } } = await start("echo one; echo two >&2; pwd; exit 3");
        update({ sessionUpdate: "tool_call", toolCallId: "c1", kind: "execute", title: "x", status: "in_progress", content: [{ type: "terminal", terminalId }] });
        sendText(JSON.stringify((await ask("terminal/wait_for_exit", { terminalId })).result));
        sendText(JSON.stringify((await ask("terminal/output", { terminalId })).result));
        await ask("terminal/release", { terminalId });
        sendText(String((await ask("terminal/output", { terminalId })).error.code));
        const sleeping = (await start("echo $$; exec sleep 300")).result.terminalId;
        let pid = "";
        while (pid === "") pid = (await ask("terminal/output", { terminalId: sleeping })).result.output.trim();
        sendText(pid);
        sendText(String((await ask("terminal/create", { command: "/bin/true", cwd: "/" })).error.code));
        return { stopReason: "end_turn" };
      });`);
    const [exit, output, released, pid, elsewhere] = listTexts(run);
    expect(JSON.parse(exit ?? "")).toEqual({ exitCode: 3, signal: null });
    const whole = `one\ntwo\n${run.directory}\n`;
    expect(
      JSON.parse(output ?? "")
        .output.split("\n")
        .toSorted(),
    ).toEqual(whole.split("\n").toSorted());
    expect([released, elsewhere]).toEqual(["-32002", "-32602"]);
    const shown = run.lines.filter((line) => line.includes("terminal_output_delta") || line.includes("terminal_exit")).join("");
    expect(shown).toContain("one");
    expect(shown).toContain('"exit_code":3');
    await expect.poll(() => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "").toBe(false);
  });
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
