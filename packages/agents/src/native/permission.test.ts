import type { AgentOutput, PermissionGrant } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createWorktreeFixture } from "../grants/worktree.fixture.ts";
import { defineTool, type NativeTool } from "../tools/tool.ts";
import type { FileWarning } from "../workspace/protected-paths.ts";
import { buildRequest } from "./build-request.ts";
import { createTurnFixture, end, toolCall } from "./turn-fixture.ts";

const resultsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "tool-result");

describe("permission", () => {
  const tool = (name: string, access: NativeTool["access"], protection: FileWarning | null = null) =>
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

  test("[E10] a denied call does not run and has the reason", async () => {
    const fixture = ask(["run"], "ask");
    const running = fixture.run();
    const { toolUseId } = await fixture.next("approval-request");
    fixture.approvals.answer({ type: "approval", toolUseId, decision: "deny", reason: "not now" });
    fixture.approvals.answer({ type: "approval", toolUseId, decision: "allow", reason: null });
    expect(await running).toBe("success");
    expect(resultsOf(fixture.outputs)).toMatchObject([{ state: "denied", isError: true, output: expect.stringContaining("not now") }]);
  });

  test("[E10] allow-always applies to this tool and this execution", async () => {
    const fixture = ask(["run", "run", "change"], "ask");
    fixture.approvals.answer({ type: "approval", toolUseId: "0", decision: "allow-always", reason: null });
    fixture.approvals.answer({ type: "approval", toolUseId: "2", decision: "allow", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs).map((output) => output.toolUseId)).toEqual(["0", "2"]);
  });

  test("[X10] a protected file asks in every mode, each time, and gives the reason", async () => {
    const fixture = ask(["change", "change"], "full", [tool("change", "edit", { code: "git-file", path: ".git/config" })]);
    fixture.approvals.answer({ type: "approval", toolUseId: "0", decision: "allow-always", reason: null });
    fixture.approvals.answer({ type: "approval", toolUseId: "1", decision: "deny", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs)).toMatchObject([
      { reason: { code: "git-file", path: ".git/config" } },
      { reason: { code: "git-file", path: ".git/config" } },
    ]);
    expect(resultsOf(fixture.outputs)).toMatchObject([{ output: "ran protected" }, { state: "denied" }]);
  });

  test("[N2] a stop while a user is asked ends the turn", async () => {
    const fixture = ask(["run"], "ask");
    const running = fixture.run();
    await fixture.next("approval-request");
    fixture.controller.abort();
    expect(await running).toBe("cancelled");
    expect(resultsOf(fixture.outputs)).toMatchObject([{ state: "interrupted" }]);
  });

  test("[X17] pages are allowed by origin", async () => {
    const fetch = defineTool({
      name: "web_fetch",
      description: "",
      access: "network",
      schema: z.object({ url: z.string() }),
      getUrl: ({ url }) => url,
      run: async () => ({ output: "ran", state: "completed" }),
    });
    const urls = ["https://a.example/1", "https://a.example/2", "https://b.a.example/", "http://a.example/"];
    const fixture = createTurnFixture({
      buildRequest,
      tools: [fetch],
      input: { permissionMode: "ask" },
      answers: [[...urls.map((url, index) => toolCall(`${index}`, "web_fetch", { url }, index)), end("tool-calls")]],
    });
    fixture.approvals.answer({ type: "approval", toolUseId: "0", decision: "allow-always", reason: null });
    for (const id of ["2", "3"]) fixture.approvals.answer({ type: "approval", toolUseId: id, decision: "deny", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs).map(({ toolUseId, grant }) => [toolUseId, grant])).toEqual([
      ["0", { type: "origin", tool: "web_fetch", origin: "https://a.example" }],
      ["2", { type: "origin", tool: "web_fetch", origin: "https://b.a.example" }],
      ["3", { type: "origin", tool: "web_fetch", origin: "http://a.example" }],
    ]);
  });

  test("[E10] a permanently allowed tool does not ask; the request states what “always” would allow", async () => {
    const fixture = createTurnFixture({
      buildRequest,
      tools,
      input: { permissionMode: "ask", grants: [{ type: "edits", tool: "change" }] },
      answers: [[toolCall("0", "change", {}), toolCall("1", "fetch", {}, 1), end("tool-calls")]],
    });
    fixture.approvals.answer({ type: "approval", toolUseId: "1", decision: "allow", reason: null });
    await fixture.run();
    expect(requestsOf(fixture.outputs)).toMatchObject([{ toolUseId: "1", grant: { type: "tool", tool: "fetch" } }]);
  });
});

describe("permission of commands", () => {
  const { directory } = createWorktreeFixture();
  const ran: string[] = [];
  const bash = defineTool({
    name: "bash",
    description: "",
    access: "command",
    schema: z.object({ command: z.string() }),
    getCommand: ({ command }) => ({ text: command }),
    async run({ command }) {
      ran.push(command);
      return { output: "ran", state: "completed" };
    },
  });
  const start = (commands: string[], input: { permissionMode: "ask" | "full"; grants?: PermissionGrant[]; directory?: string }) => {
    ran.length = 0;
    return createTurnFixture({
      buildRequest,
      tools: [bash],
      input,
      answers: [[...commands.map((command, index) => toolCall(`${index}`, "bash", { command }, index)), end("tool-calls")]],
    });
  };
  const requestsOf = (outputs: AgentOutput[]) => outputs.filter((output) => output.type === "approval-request");

  test("[E10, X17] allow-always allows what it offered, for the rest of the execution", async () => {
    const commands = ["npm test", "npm test", "npm test -- x", "cat a.txt", "cat -n src/b.ts", "cat leak", "npm test; echo $X"];
    const fixture = start(commands, { permissionMode: "ask", directory });
    for (const id of ["0", "3"]) fixture.approvals.answer({ type: "approval", toolUseId: id, decision: "allow-always", reason: null });
    for (const id of ["2", "5", "6"]) fixture.approvals.answer({ type: "approval", toolUseId: id, decision: "deny", reason: null });
    await fixture.run();
    const requests = requestsOf(fixture.outputs);
    expect(requests).toMatchObject([
      { toolUseId: "0", grant: { type: "command", tool: "bash", command: "npm test" } },
      { toolUseId: "2", grant: { type: "command", tool: "bash", command: "npm test -- x" } },
      { toolUseId: "3", grant: { type: "read-only-command", tool: "bash", program: "cat" } },
      { toolUseId: "5" },
      { toolUseId: "6" },
    ]);
    for (const request of requests.slice(3)) expect(request).not.toHaveProperty("grant");
    expect(ran).toEqual(["npm test", "npm test", "cat a.txt", "cat -n src/b.ts"]);
  });

  test("[E10] a dangerous command asks despite every grant, gives the reason, and cannot be allowed permanently", async () => {
    const grants = ["git push", "git push --force", "rm -rf x"].map((command) => ({ type: "command", tool: "bash", command }) as const);
    const fixture = start(["git push", "git push --force", "rm -rf x"], { permissionMode: "ask", grants, directory });
    fixture.approvals.answer({ type: "approval", toolUseId: "1", decision: "allow-always", reason: null });
    fixture.approvals.answer({ type: "approval", toolUseId: "2", decision: "deny", reason: null });
    await fixture.run();
    const requests = requestsOf(fixture.outputs);
    expect(requests.map((request) => request.toolUseId)).toEqual(["1", "2"]);
    for (const request of requests) {
      expect(formatText(request.reason ?? "")).toMatch(/^It /);
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
