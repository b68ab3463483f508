import type { AgentInfo, AgentList } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { parseChoice, resolveChoice } from "./start-choice.ts";

const agent = (id: string, models: string[], available = true): AgentInfo => ({
  ...{ id, name: id, available, models: models.map((model) => ({ id: model, name: model })) },
  ...(models[0] ? { defaultModel: models[0] } : {}),
});
const list: AgentList = { agents: [agent("native", ["a", "b"]), agent("codex", []), agent("gemini", [], false)], defaultAgent: "native" };

describe("the default choice for a new task", () => {
  it("is the default agent, its model and the recommended mode, not yet chosen", () => {
    expect(resolveChoice(parseChoice(null), list)).toEqual({
      ...{ agent: list.agents[0], model: "a", permissionMode: "accept-edits", isModeChosen: false },
    });
  });

  it("is what was chosen last; a mode of the settings counts as chosen", () => {
    const chosen = parseChoice(JSON.stringify({ agent: "native", model: "b", permissionMode: "full" }));
    expect(resolveChoice(chosen, list)).toMatchObject({ model: "b", permissionMode: "full", isModeChosen: true });
    const withDefault: AgentList = { ...list, defaultPermissionMode: "ask" };
    expect(resolveChoice(parseChoice("{}"), withDefault)).toMatchObject({ permissionMode: "ask", isModeChosen: true });
  });

  it("falls back to the defaults where the agent, the model or the mode is gone", () => {
    const gone = parseChoice(JSON.stringify({ agent: "gemini", model: "b", permissionMode: "yolo" }));
    expect(resolveChoice(gone, list)).toMatchObject({ model: "a", permissionMode: "accept-edits", isModeChosen: false });
    expect(resolveChoice({ agent: "codex", model: "a", permissionMode: null }, list).model).toBeNull();
  });

  it("reads nothing from an invalid choice", () => {
    for (const stored of ["", "[]", "7", "{", '{"agent":1}']) {
      expect(parseChoice(stored)).toEqual({ agent: null, model: null, permissionMode: null });
    }
  });
});
