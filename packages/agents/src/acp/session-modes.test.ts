import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { driveFake, listTexts } from "./fake-agent.fixture.ts";
import { findPlanMode } from "./session-modes.ts";
import { toSessionOptions } from "./session-options.ts";

/** The answer to the first `session/new` of a recording. */
function readAnswer(name: string): Record<string, never> {
  const lines = readFileSync(new URL(`./__fixtures__/${name}.ndjson`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  const messages = lines.map((line) => JSON.parse(line)).map((line) => line.msg ?? line.message ?? line);
  return messages.find(({ result }) => typeof result?.sessionId === "string").result;
}

describe("options of recorded sessions", () => {
  it.each([
    ["claude-agent-acp-0.99.1-hello.bidi", "plan", "default", 0],
    ["qwen-0.24.4-tools.bidi", "plan", "default", 0],
    ["gemini-acp-full", "plan", "default", 0],
    ["opencode-acp-full", "plan", "build", 0],
    ["copilot-1.0.102-tools.bidi", "https://agentclientprotocol.com/protocol/session-modes#plan", "#agent", 0],
    ["zed-codex-acp-0.16.0-tools.bidi", undefined, undefined, 0],
    ["pi-acp-0.0.34-tools.bidi", undefined, undefined, 0],
  ])("[N3] %s: a mode to plan in, and one to work in", (recording, plan, working, modes) => {
    const response = readAnswer(recording);
    const found = findPlanMode(response);
    expect(found?.plan).toBe(plan);
    expect(found?.working.endsWith(working ?? "")).toBe(working === undefined ? undefined : true);
    const options = toSessionOptions(response);
    expect(options.hasPlanMode).toBe(plan !== undefined);
    expect(options.modes).toHaveLength(modes);
  });

  it("[E9] models come with their names, whichever form the agent reports them in", () => {
    expect(toSessionOptions(readAnswer("gemini-acp-full"))).toMatchObject({
      currentModel: "gemini-2.5-flash",
      models: expect.arrayContaining([{ id: "gemini-2.5-pro", name: "gemini-2.5-pro" }]),
    });
    expect(toSessionOptions(readAnswer("opencode-acp-full"))).toMatchObject({
      models: expect.arrayContaining([{ id: "fake/fake-model", name: "Fake/Fake Model" }]),
    });
    const grouped = { options: [{ group: "a", name: "A", options: [{ value: "a/1", name: "One" }] }] };
    const response = { configOptions: [{ id: "m", category: "model", type: "select", currentValue: "a/1", ...grouped }] };
    expect(toSessionOptions(response)).toEqual({
      models: [{ id: "a/1", name: "One" }],
      currentModel: "a/1",
      modes: [],
      hasPlanMode: false,
    });
    expect(toSessionOptions({})).toEqual({ models: [], modes: [], hasPlanMode: false });
  });
});

describe("an agent's session", () => {
  const modes = (current: string) =>
    `modes: { currentModeId: "${current}", availableModes: ["code", "plan", "review", "yolo"].map((id) => ({ id, name: id })) }`;
  const body = (current: string) => `
    on("session/new", () => ({ sessionId: "s1", ${modes(current)} }));
    on("session/set_mode", ({ modeId }) => { sendText("mode " + modeId); return {}; });
    on("session/prompt", () => { sendText("prompt"); return { stopReason: "end_turn" }; });`;

  it("[E9] keeps the agent mode that the user chose, and otherwise leaves a plan mode or one without approvals", async () => {
    expect(listTexts(await driveFake(body("code"), { order: { agentMode: "review" } }))).toEqual(["mode review", "prompt"]);
    expect(listTexts(await driveFake(body("code"), { order: { agentMode: "gone" } }))).toEqual(["prompt"]);
    expect(listTexts(await driveFake(body("plan")))).toEqual(["mode code", "prompt"]);
    expect(listTexts(await driveFake(body("yolo")))).toEqual(["mode code", "prompt"]);
    expect(listTexts(await driveFake(body("code"), { order: { permissionMode: "plan", agentMode: "review" } }))).toEqual([
      "mode plan",
      "prompt",
    ]);
  });

  it("[N3] one that offers no plan mode, or refuses it, is not sent the prompt", async () => {
    const without = await driveFake(`on("session/prompt", () => { sendText("prompt"); return { stopReason: "end_turn" }; });`, {
      order: { permissionMode: "plan" },
    });
    expect([listTexts(without), without.records]).toEqual([[], [expect.objectContaining({ status: "failed", code: "no-plan-mode" })]]);
    const refusing = await driveFake(`${body("code")} on("session/set_mode", () => { throw fail(-32602, "No"); });`, {
      order: { permissionMode: "plan" },
    });
    expect(listTexts(refusing)).toEqual([]);
  });
});
