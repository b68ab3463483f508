import type { AgentOutput } from "@skein/contracts";
import type { ModelEvent } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { createTurnFixture, end, text, toolCall } from "./turn-fixture.ts";

const ran: string[] = [];
const tools = (["read", "edit", "command", "network"] as const).map((access) =>
  defineTool({
    name: access,
    description: "",
    access,
    schema: z.object({}),
    run: async () => {
      ran.push(access);
      return { output: access, state: "completed" };
    },
  }),
);
const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");
const toolNames = (request: { tools?: readonly { name: string }[] } | undefined) => request?.tools?.map(({ name }) => name);

function plan(...more: ModelEvent[][]) {
  ran.length = 0;
  return createTurnFixture({
    buildRequest,
    tools,
    input: { permissionMode: "plan", grants: [{ type: "edits", tool: "edit" }] },
    answers: [
      [toolCall("w", "edit", {}), toolCall("r", "read", {}), end("tool-calls")],
      [toolCall("p", "exit_plan", { plan: "1. Do it." }), end("tool-calls")],
      ...more,
    ],
  });
}

describe("plan mode", () => {
  test("[N3] has only tools that read until the plan is approved, whatever was allowed permanently", async () => {
    const fixture = plan([toolCall("e", "edit", {}), toolCall("c", "command", {}), end("tool-calls")], [text("done"), end()]);
    const running = fixture.run();
    expect(await fixture.next("approval-request")).toMatchObject({ toolUseId: "p", toolName: "exit_plan", input: { plan: "1. Do it." } });
    expect(ran).toEqual(["read"]);
    expect(toolNames(fixture.requests[0])).toEqual(["read", "ask", "task", "exit_plan"]);
    expect(resultsOf(fixture.outputs)[0]).toMatchObject({ toolUseId: "w", state: "failed", output: expect.stringContaining("no tool") });

    fixture.approvals.answer({ type: "approval", toolUseId: "p", decision: "allow", reason: null, plan: { mode: "full" } });
    expect(await running).toBe("success");
    expect(ran).toEqual(["read", "edit", "command"]);
    expect(toolNames(fixture.requests.at(-1))).toEqual(["read", "edit", "command", "network", "ask", "task"]);
    expect(resultsOf(fixture.outputs).find(({ toolUseId }) => toolUseId === "p")).toMatchObject({
      state: "completed",
      structured: { plan: "1. Do it." },
    });
  });

  test("[E10, N3] the mode of the approval applies at once, and the model gets the edited plan", async () => {
    const fixture = plan([toolCall("c", "command", {}), end("tool-calls")], [text("done"), end()]);
    fixture.approvals.answer({
      type: "approval",
      toolUseId: "p",
      decision: "allow",
      reason: null,
      plan: { mode: "accept-edits", text: "1. Do it twice." },
    });
    fixture.approvals.answer({ type: "approval", toolUseId: "c", decision: "deny", reason: null });
    expect(await fixture.run()).toBe("success");
    expect(fixture.outputs.filter(({ type }) => type === "approval-request")).toMatchObject([{ toolUseId: "p" }, { toolUseId: "c" }]);
    const [, , result] = resultsOf(fixture.outputs);
    expect(result).toMatchObject({ output: expect.stringContaining("1. Do it twice."), structured: { plan: "1. Do it twice." } });
    expect(ran).toEqual(["read"]);
  });

  test("[E10, N3] feedback goes to the model, which stays in plan mode", async () => {
    const fixture = plan([text("I think again."), end()]);
    fixture.approvals.answer({ type: "approval", toolUseId: "p", decision: "deny", reason: "Test it too." });
    expect(await fixture.run()).toBe("success");
    const [, , result] = resultsOf(fixture.outputs);
    expect(result).toMatchObject({ state: "denied", output: expect.stringContaining("Test it too.") });
    expect(toolNames(fixture.requests.at(-1))).toContain("exit_plan");
    expect(toolNames(fixture.requests.at(-1))).not.toContain("edit");
  });
});
