import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { MessageId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { DriverControl } from "../driver/driver-control.ts";
import { answerWith, driveFake, listTexts, newDirectory, question } from "./fake-agent.fixture.ts";

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
