import type { PermissionMode } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { DriverControl } from "../driver/driver-control.ts";
import { driveFake, listTexts } from "./fake-agent.fixture.ts";

const modes = `modes: { currentModeId: "code", availableModes: ["code", "plan", "review"].map((id) => ({ id, name: id })) }`;
const session = `{ sessionId: "s1", models: { currentModelId: "a", availableModels: [] }, ${modes} }`;
const reports = `
  on("session/set_mode", ({ modeId }) => { sendText("mode " + modeId); return {}; });
  on("session/set_model", ({ modelId }) => { sendText("model " + modelId); return {}; });
  on("session/prompt", () => { sendText("prompt"); return { stopReason: "end_turn" }; });`;
const form = { mode: "form", message: "Who?", requestId: 1, requestedSchema: { type: "object", properties: {} } };
const login = `on("session/new", async () => { await ask("elicitation/create", ${JSON.stringify(form)}); return ${session}; });`;

type SendControl = (control: DriverControl) => void;

/** Answers the form of a login, after `before`. */
function atLogin(before: (control: SendControl) => void) {
  return (line: string, control: SendControl): void => {
    const { id, method } = JSON.parse(line) as { id?: string; method?: string };
    if (method !== "elicitation/create") return;
    const answer = { toolUseId: "u", toolName: "ask", input: null, decision: "allow", reason: null, grant: undefined } as const;
    queueMicrotask(() => {
      before(control);
      control({ type: "approval", ...answer, requestId: JSON.stringify({ id }), answers: {} });
    });
  };
}

describe("a change before there is a session", () => {
  it.each([
    ["plan", { permissionMode: "ask" }, ["model b", "prompt"]],
    ["ask", { permissionMode: "plan" }, ["mode plan", "model b", "prompt"]],
    ["ask", { permissionMode: "full", agentMode: "review" }, ["mode review", "model b", "prompt"]],
  ] satisfies [PermissionMode, object, string[]][])("[E5, N3] counts for its first prompt: from %s to %j", async (from, to, expected) => {
    const onLine = atLogin((control) => control({ type: "settings", model: "b", ...to } as DriverControl));
    expect(listTexts(await driveFake(reports + login, { order: { permissionMode: from }, onLine }))).toEqual(expected);
  });

  it("[E5, N3] applies while its mode is being set", async () => {
    const body = `on("session/new", () => (${session})); ${reports}
      on("session/set_mode", async ({ modeId }) => { sendText("mode " + modeId); if (modeId === "plan") await new Promise((go) => setTimeout(go, 50)); return {}; });`;
    const run = await driveFake(body, {
      order: { permissionMode: "plan" },
      onLine: (line, control) => line.includes("mode plan") && control({ type: "settings", model: null, permissionMode: "ask" }),
    });
    expect(listTexts(run)).toEqual(["mode plan", "mode code", "prompt"]);
  });
});

it("[E3, N3] a session that replaces another one has the mode that was chosen last", async () => {
  const body = `on("initialize", () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }));
    on("session/load", () => (${session})); on("session/new", () => (${session}));
    let go; on("session/set_mode", () => { go?.(); return {}; });
    on("session/prompt", async () => {
      if (go !== undefined) return { stopReason: "end_turn" };
      await new Promise((resolve) => { go = resolve; send({ method: "_ready" }); });
      throw fail(400, "tool_use ids were found without tool_result blocks");
    });`;
  const run = await driveFake(body, {
    order: { sessionId: "s1", transcript: "Before.", permissionMode: "ask" },
    onLine: (line, control) => line.includes("_ready") && control({ type: "settings", model: null, permissionMode: "plan" }),
  });
  const requests = run.log.flatMap(({ method }) => (/^session\/(?:new|set_mode|prompt)$/.test(String(method)) ? [method] : []));
  expect(requests).toEqual(["session/prompt", "session/set_mode", "session/new", "session/set_mode", "session/prompt"]);
});

it("[N3] an agent whose plan was approved plans again when the user wants it", async () => {
  const plan = `ask("session/request_permission", { toolCall: { toolCallId: "p", name: "exit_plan", kind: "switch_mode", title: "Ready?", rawInput: { plan: "Do it" } },
    options: [{ optionId: "yes", kind: "allow_once", name: "Yes" }, { optionId: "no", kind: "reject_once", name: "No" }] })`;
  const body = `on("session/new", () => (${session})); ${reports} let go;
    on("session/set_mode", ({ modeId }) => { sendText("mode " + modeId); go?.(); return {}; });
    on("session/prompt", async () => {
      await ${plan};
      const left = new Promise((resolve) => { go = resolve; });
      update({ sessionUpdate: "tool_call_update", toolCallId: "p", status: "completed" });
      await left;
      const back = new Promise((resolve) => { go = resolve; setTimeout(resolve, 2000); });
      sendText("working");
      await back;
      return { stopReason: "end_turn" };
    });`;
  const run = await driveFake(body, {
    order: { permissionMode: "plan" },
    onLine(line, control) {
      const { id, method } = JSON.parse(line) as { id?: string; method?: string };
      if (line.includes("working")) control({ type: "settings", model: null, permissionMode: "plan" });
      if (method !== "session/request_permission") return;
      const requestId = JSON.stringify({ id, options: { allow: "yes", deny: "no" } });
      const answer = { toolUseId: "u", toolName: "x", input: null, decision: "allow", reason: null, grant: undefined } as const;
      queueMicrotask(() => control({ type: "approval", ...answer, requestId, answers: undefined, plan: { mode: "ask" } }));
    },
  });
  expect(listTexts(run)).toEqual(["mode plan", "mode code", "working", "mode plan"]);
});

it("[E4, E10] an agent that is stopped while it asks for a login gets a cancel", async () => {
  const stop = new AbortController();
  const body = `on("session/new", async () => { sendText(JSON.stringify((await ask("elicitation/create", ${JSON.stringify(form)})).result)); return ${session}; }); ${reports}`;
  const run = await driveFake(body, { stop: stop.signal, onLine: (line) => line.includes("elicitation/create") && stop.abort() });
  expect(listTexts(run)).toEqual([JSON.stringify({ action: "cancel" })]);
});
