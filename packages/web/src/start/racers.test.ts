import type { AgentInfo, AgentList } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { proposeRacer, toRaceAttempts } from "./racers.ts";

const agent = (id: string, available = true) =>
  ({ id, name: id, available, models: [], defaultModel: `${id}-model` }) as unknown as AgentInfo;
const list: AgentList = { agents: [agent("native"), agent("missing", false), agent("codex")], defaultAgent: "native" };

describe("[L4] more agents in the composer", () => {
  it("proposes an agent that is not in the race yet, then the default one", () => {
    expect(proposeRacer(list, ["native"], 1)).toEqual({ key: 1, agent: "codex", model: "codex-model" });
    expect(proposeRacer(list, ["native", "codex"], 2)?.agent).toBe("native");
    expect(proposeRacer({ ...list, agents: [] }, [], 3)).toBeUndefined();
  });
  it("all have the settings of the first one, and their own agent and model", () => {
    const first = { agent: "native", model: "a/b", permissionMode: "full" as const, baseBranch: "main" };
    expect(toRaceAttempts(first, [{ key: 1, agent: "codex", model: null }])).toEqual([
      first,
      { agent: "codex", permissionMode: "full", baseBranch: "main" },
    ]);
  });
});
