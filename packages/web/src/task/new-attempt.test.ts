import type { AgentInfo, AgentList, Attempt, Task } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { createNewAttemptForm, resolveNewAttempt, toNewAttempt } from "./new-attempt.ts";

const task = { title: "Fix it", description: "" } as Task;
const like = { agent: "codex", model: "large", isolation: "in-place", permissionMode: "plan", systemPrompt: "Be brief." } as Attempt;
const toAgent = (id: string, more: Partial<AgentInfo>) => ({ id, name: id, available: true, models: [], ...more }) as unknown as AgentInfo;
const list = {
  agents: [toAgent("native", { defaultModel: "small", planSupport: "enforced" }), toAgent("codex", { planSupport: "none" })],
  defaultAgent: "native",
  defaultPermissionMode: "ask",
} as AgentList;

describe("a new attempt", () => {
  it("starts from the settings of the attempt that is shown", () => {
    expect(createNewAttemptForm(task, like)).toMatchObject({ agent: "codex", model: "large", isolation: "in-place", message: "Fix it" });
  });

  it("uses the defaults where nothing was chosen", () => {
    const form = createNewAttemptForm(task, undefined);
    const resolved = resolveNewAttempt(form, list);
    expect(toNewAttempt(form, resolved)).toEqual({ agent: "native", model: "small", isolation: "worktree", permissionMode: "ask" });
  });

  it("does not keep a mode that the agent does not offer", () => {
    const form = createNewAttemptForm(task, like);
    expect(resolveNewAttempt(form, list).permissionMode).toBe("ask");
    expect(resolveNewAttempt({ ...form, agent: "native" }, list).permissionMode).toBe("plan");
  });

  it("has a base branch only in a worktree, and a system prompt only where there is one", () => {
    const form = { ...createNewAttemptForm(task, like), baseBranch: "main", systemPrompt: " " };
    const resolved = resolveNewAttempt(form, list);
    const inPlace = { agent: "codex", model: "large", isolation: "in-place", permissionMode: "ask" };
    expect(toNewAttempt(form, resolved)).toEqual(inPlace);
    expect(toNewAttempt({ ...form, isolation: "worktree", systemPrompt: "Be brief." }, resolved)).toEqual({
      ...inPlace,
      isolation: "worktree",
      baseBranch: "main",
      systemPrompt: "Be brief.",
    });
  });
});
