import type { AgentOutput } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type NativeTool } from "../tools/tool.ts";
import { buildRequest } from "./build-request.ts";
import { createTurnFixture, end, toolCall } from "./turn-fixture.ts";

const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");

describe("permission", () => {
  const tool = (name: string, access: NativeTool["access"], protection: string | null = null) =>
    defineTool({
      name,
      description: "",
      access,
      schema: z.object({}),
      findProtection: async () => protection,
      run: async (_, { protectedAllowed }) => ({ output: protectedAllowed ? "ran protected" : "ran", state: "completed" }),
    });
  const tools = [tool("see", "read"), tool("change", "edit"), tool("run", "command")];
  const ask = (names: string[], permissionMode: "ask" | "accept-edits" | "full", using = tools) =>
    createTurnFixture({
      buildRequest,
      tools: using,
      input: { permissionMode },
      answers: [[...names.map((name, index) => toolCall(`${index}`, name, {}, index)), end("tool-calls")]],
    });
  const requestsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "approval-request");

  test.each([
    ["full" as const, []],
    ["accept-edits" as const, ["run"]],
    ["ask" as const, ["change", "run"]],
  ])("[N3] in mode %s the tools that ask are %j", async (mode, asking) => {
    const fixture = ask(["see", "change", "run"], mode);
    for (const id of ["0", "1", "2"]) fixture.approvals.answer({ type: "approval", toolUseId: id, decision: "allow", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs).map((output) => output.toolName)).toEqual(asking);
    expect(resultsOf(fixture.outputs).every((result) => result.output === "ran")).toBe(true);
  });

  test("[E10] a denied call does not run and tells the reason", async () => {
    const fixture = ask(["run"], "ask");
    const running = fixture.run();
    const { toolUseId } = await fixture.next("approval-request");
    fixture.approvals.answer({ type: "approval", toolUseId, decision: "deny", reason: "not now" });
    fixture.approvals.answer({ type: "approval", toolUseId, decision: "allow", reason: null });
    expect(await running).toBe("success");
    expect(resultsOf(fixture.outputs)).toMatchObject([{ state: "denied", isError: true, output: expect.stringContaining("not now") }]);
  });

  test("[E10] allow-always holds for this tool and this execution", async () => {
    const fixture = ask(["run", "run", "change"], "ask");
    fixture.approvals.answer({ type: "approval", toolUseId: "0", decision: "allow-always", reason: null });
    fixture.approvals.answer({ type: "approval", toolUseId: "2", decision: "allow", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs).map((output) => output.toolUseId)).toEqual(["0", "2"]);
  });

  test("[X10] a protected file asks in every mode, each time, and says why", async () => {
    const fixture = ask(["change", "change"], "full", [tool("change", "edit", "belongs to git")]);
    fixture.approvals.answer({ type: "approval", toolUseId: "0", decision: "allow-always", reason: null });
    fixture.approvals.answer({ type: "approval", toolUseId: "1", decision: "deny", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs)).toMatchObject([{ reason: "belongs to git" }, { reason: "belongs to git" }]);
    expect(resultsOf(fixture.outputs)).toMatchObject([{ output: "ran protected" }, { state: "denied" }]);
  });

  test("[N2] a stop while a person is asked ends the turn", async () => {
    const fixture = ask(["run"], "ask");
    const running = fixture.run();
    await fixture.next("approval-request");
    fixture.controller.abort();
    expect(await running).toBe("cancelled");
    expect(resultsOf(fixture.outputs)).toMatchObject([{ state: "interrupted" }]);
  });
});
