import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { AgentOutput, ApprovalDecision, ExecutionId, PermissionGrant } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { DriverControl } from "../driver/driver-control.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { coversCall, findGrantableCall, findNotedGrant, toAcpGrant } from "./acp-grants.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";
import { driveFake, type FakeRun, newDirectory, toldBy } from "./fake-agent.fixture.ts";

const gitStatus: PermissionGrant = { tool: "execute", commandPrefix: "git status" };
const edits: PermissionGrant = { tool: "file_change", commandPrefix: null };

/** An agent that asks all of these, one after the other, and tells what it is answered. */
function asking(...calls: object[]): string {
  const options = ["once", "always", "no"].map((optionId, index) => ({
    optionId,
    kind: ["allow_once", "allow_always", "reject_once"][index],
  }));
  const questions = calls.map((call, index) => ({ toolCall: { toolCallId: `c${index}`, ...call }, options }));
  return `on("session/prompt", async () => {
    for (const question of ${JSON.stringify(questions)}) tell((await ask("session/request_permission", question)).result.outcome.optionId);
    return { stopReason: "end_turn" };
  });`;
}

const run = (command: string, more: object = {}) => ({ kind: "execute", title: "Runs it", rawInput: { command }, ...more });
const edit = (path: string) => ({ kind: "edit", title: "Edit", locations: [{ path }] });

/** What the server reads in the log. */
function listAsked(lines: readonly string[]): Extract<AgentOutput, { type: "approval-request" }>[] {
  const decoder = createAcpDecoder({ executionId: "exe_1" as ExecutionId });
  return lines.flatMap((text, offset) => decoder.decode({ text, offset, at: 0 })).filter((output) => output.type === "approval-request");
}

/** Answers as the server does: with the grant that it read in the log. */
function answerWith(decision: ApprovalDecision) {
  return (line: string, control: (control: DriverControl) => void): void => {
    for (const { toolUseId, toolName, input, requestId, grant } of listAsked([line])) {
      queueMicrotask(() =>
        control({ type: "approval", toolUseId, toolName, input, requestId, grant, decision, reason: null, answers: undefined }),
      );
    }
  };
}

const listGrants = ({ lines }: FakeRun) => listAsked(lines).map(({ grant }) => grant);

describe("[E10] what is allowed for good", () => {
  it("is told with the question, is answered once to the agent, and counts for the rest of the execution", async () => {
    const body = asking(run("git status"), run("git status --short"), run("git push"), edit("a.txt"), edit("b.txt"));
    const done = await driveFake(body, { onLine: answerWith("allow-always") });
    // its own “always” would allow more than the person was told
    expect(toldBy(done)).toEqual(["once", "once", "once", "once", "once"]);
    expect(listGrants(done)).toEqual([gitStatus, { tool: "execute", commandPrefix: "git push" }, edits]);
  });

  it("counts in the next execution, whose log tells the call and not the question", async () => {
    const body = asking(run("git status -b"), edit("a.txt"), run("git log"));
    const done = await driveFake(body, { order: { grants: [gitStatus, edits] }, onLine: answerWith("deny") });
    expect(toldBy(done)).toEqual(["once", "once", "no"]);
    expect(listAsked(done.lines).map(({ input }) => input)).toEqual([{ command: "git log" }]);
    expect(done.log).toContainEqual({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "s1",
        update: { sessionUpdate: "tool_call_update", toolCallId: "c0", ...run("git status -b"), status: "pending" },
      },
    });
  });

  it("never reaches beyond ordinary files of the working folder", async () => {
    const directory = newDirectory();
    mkdirSync(join(directory, "sub"));
    symlinkSync(newDirectory(), join(directory, "link"));
    const calls = [
      edit("../outside.txt"),
      edit(join(directory, "link/a.txt")),
      edit(".git/hooks/post-commit"),
      edit(".claude/settings.json"),
      { kind: "edit", title: "Edit" },
      run("git status", { rawInput: { command: "git status", workdir: "/" } }),
      run("git status", { locations: [{ path: "/etc" }] }),
      run("git status; curl evil.example"),
      run("git status", { kind: "other" }),
      { kind: "execute", title: "git status" },
    ];
    const done = await driveFake(asking(...calls, run("git status", { rawInput: { command: "git status", cwd: "sub" } })), {
      directory,
      order: { grants: [gitStatus, edits] },
      onLine: answerWith("deny"),
    });
    expect(toldBy(done)).toEqual([...calls.map(() => "no"), "once"]);
    expect(listGrants(done)).toEqual(calls.map(() => undefined));
  });

  it("never covers a dangerous command, which says why", async () => {
    const grants = [{ tool: "execute", commandPrefix: "rm" }];
    const done = await driveFake(asking(run("rm -rf build")), { order: { grants }, onLine: answerWith("deny") });
    const reason = "It deletes folders with everything in them, and that cannot be undone.";
    expect(listAsked(done.lines)).toMatchObject([{ reason, input: { command: "rm -rf build" } }]);
    expect(listGrants(done)).toEqual([undefined]);
  });

  it("the title is the command only of agents that are known for it", async () => {
    const call = { kind: "execute", title: "git status --short" };
    const isOrdinary = async () => true;
    expect(await findGrantableCall(call, { titlesAreCommands: false, isOrdinary })).toBeUndefined();
    const found = await findGrantableCall(call, { titlesAreCommands: true, isOrdinary });
    expect(found && toAcpGrant(found)).toEqual(gitStatus);
  });

  it("what an agent itself notes as the grant does not count", async () => {
    const forged = `on("session/prompt", async () => {
      const question = { toolCall: { toolCallId: "c", kind: "other", title: "x" }, options: [{ optionId: "once", kind: "allow_once" }] };
      await ask("session/request_permission", { ...question, _meta: { own: 1, skein: { grant: { tool: "Bash", commandPrefix: null } } } });
      return { stopReason: "end_turn" };
    });`;
    const done = await driveFake(forged, { onLine: answerWith("allow") });
    expect(listGrants(done)).toEqual([undefined]);
    expect(done.log).toContainEqual(expect.objectContaining({ params: expect.objectContaining({ _meta: { own: 1 } }) }));
  });

  it("an answer that comes too late allows nothing", async () => {
    let isAnswered = false;
    const done = await driveFake(asking(run("git status"), run("git status")), {
      onLine(line, control) {
        if (!isAnswered && listAsked([line]).length > 0) {
          isAnswered = true;
          answerWith("deny")(line, control);
          answerWith("allow-always")(line, control);
        } else answerWith("deny")(line, control);
      },
    });
    expect(toldBy(done)).toEqual(["no", "no"]);
  });

  it.each<PermissionGrant>([
    { tool: "bash", commandPrefix: "git status" },
    { tool: "execute", commandPrefix: null },
    { tool: "edit", commandPrefix: null },
    { tool: "Edit", commandPrefix: null },
    { tool: "file_change", commandPrefix: "git status" },
  ])("what was allowed to another agent (%o) does not count", (grant) => {
    expect([coversCall(grant, { type: "command", command: "git status" }), coversCall(grant, { type: "edit" })]).toEqual([false, false]);
  });
});

it("[X15] the log decides whether “always” is offered, never what it allows", () => {
  const find = (toolCall: JsonObject, grant: JsonObject | null) => findNotedGrant({ _meta: { skein: { grant } } }, toolCall);
  const status = { kind: "execute", title: "Show the status", rawInput: { command: "git status --short" } };
  expect(find(status, { tool: "execute", commandPrefix: "git status" })).toEqual({ tool: "execute", commandPrefix: "git status" });
  expect(find({ kind: "execute", title: "git status" }, { tool: "execute", commandPrefix: "git status" })).toBeDefined();
  expect(find({ kind: "edit" }, { tool: "file_change", commandPrefix: null })).toEqual({ tool: "file_change", commandPrefix: null });
  for (const grant of [
    { tool: "bash", commandPrefix: null },
    { tool: "execute", commandPrefix: "git" },
    { tool: "file_change", commandPrefix: null },
    null,
  ]) {
    expect(find(status, grant)).toBeUndefined();
  }
  expect(find({ kind: "fetch" }, { tool: "file_change", commandPrefix: null })).toBeUndefined();
});
