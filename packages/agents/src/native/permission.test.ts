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
  const tools = [tool("see", "read"), tool("change", "edit"), tool("run", "command"), tool("fetch", "network")];
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
    ["accept-edits" as const, ["run", "fetch"]],
    ["ask" as const, ["change", "run", "fetch"]],
  ])("[N3] in mode %s the tools that ask are %j", async (mode, asking) => {
    const fixture = ask(["see", "change", "run", "fetch"], mode);
    for (const id of ["0", "1", "2", "3"]) fixture.approvals.answer({ type: "approval", toolUseId: id, decision: "allow", reason: null });
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

  test("[E10] a tool that was allowed for good does not ask; the request tells what “always” would allow", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      tools,
      input: { permissionMode: "ask", grants: [{ tool: "change", commandPrefix: null }] },
      answers: [[toolCall("0", "change", {}), toolCall("1", "fetch", {}, 1), end("tool-calls")]],
    });
    fixture.approvals.answer({ type: "approval", toolUseId: "1", decision: "allow", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs)).toMatchObject([{ toolUseId: "1", grant: { tool: "fetch", commandPrefix: null } }]);
  });
});

describe("permission of commands", () => {
  const ran: string[] = [];
  const bash = defineTool({
    name: "bash",
    description: "",
    access: "command",
    schema: z.object({ command: z.string() }),
    getCommand: ({ command }) => command,
    async run({ command }) {
      ran.push(command);
      return { output: "ran", state: "completed" };
    },
  });
  const start = (
    commands: string[],
    input: { permissionMode: "ask" | "full"; grants?: { tool: string; commandPrefix: string | null }[] },
  ) => {
    ran.length = 0;
    return createTurnFixture({
      buildRequest,
      tools: [bash],
      input,
      answers: [[...commands.map((command, index) => toolCall(`${index}`, "bash", { command }, index)), end("tool-calls")]],
    });
  };
  const requestsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "approval-request");

  test("[E10] allow-always for a command allows what begins with the same words, for the rest of the execution", async () => {
    const fixture = start(["git status", "git status --short", "git log", "git status; id"], { permissionMode: "ask" });
    fixture.approvals.answer({ type: "approval", toolUseId: "0", decision: "allow-always", reason: null });
    for (const id of ["2", "3"]) fixture.approvals.answer({ type: "approval", toolUseId: id, decision: "deny", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs)).toMatchObject([
      { toolUseId: "0", grant: { tool: "bash", commandPrefix: "git status" } },
      { toolUseId: "2", grant: { tool: "bash", commandPrefix: "git log" } },
      { toolUseId: "3" },
    ]);
    expect(requestsOf(fixture.outputs)[2]).not.toHaveProperty("grant");
    expect(ran).toEqual(["git status", "git status --short"]);
  });

  test("[E10] a dangerous command asks in spite of every grant, says why, and cannot be allowed for good", async () => {
    const grants = [{ tool: "bash", commandPrefix: null }];
    const fixture = start(["git push", "git push --force", "rm -rf x"], { permissionMode: "ask", grants });
    fixture.approvals.answer({ type: "approval", toolUseId: "1", decision: "allow-always", reason: null });
    fixture.approvals.answer({ type: "approval", toolUseId: "2", decision: "deny", reason: null });
    await fixture.run();
    const requests = requestsOf(fixture.outputs);
    expect(requests.map((request) => request.toolUseId)).toEqual(["1", "2"]);
    for (const request of requests) {
      expect(request.reason).toMatch(/^It /);
      expect(request).not.toHaveProperty("grant");
    }
    expect(ran).toEqual(["git push", "git push --force"]);
  });

  test("[N3] in mode full nothing asks", async () => {
    const fixture = start(["rm -rf x"], { permissionMode: "full" });
    await fixture.run();
    expect(requestsOf(fixture.outputs)).toEqual([]);
  });
});
