import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { AgentOutput, ApprovalDecision, ExecutionId, PermissionGrant } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { DriverControl } from "../driver/driver-control.ts";
import { isAllowed, toGrant } from "../grants/grants.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { findGrantableCall, findNotedGrant } from "./acp-grants.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";
import { driveFake, type FakeRun, listTexts, newDirectory } from "./fake-agent.fixture.ts";

const npmTest: PermissionGrant = { type: "command", tool: "execute", command: "npm test" };
const list: PermissionGrant = { type: "read-only-command", tool: "execute", program: "ls" };
const edits: PermissionGrant = { type: "edits", tool: "file_change" };

/** An agent that asks these questions one after the other and reports the answers. */
function asking(...calls: object[]): string {
  const options = ["once", "always", "no"].map((optionId, index) => ({
    optionId,
    kind: ["allow_once", "allow_always", "reject_once"][index],
  }));
  const questions = calls.map((call, index) => ({ toolCall: { toolCallId: `c${index}`, ...call }, options }));
  return `on("session/prompt", async () => {
    for (const question of ${JSON.stringify(questions)}) sendText((await ask("session/request_permission", question)).result.outcome.optionId);
    return { stopReason: "end_turn" };
  });`;
}

const run = (command: string, more: object = {}) => ({ kind: "execute", title: "Runs it", rawInput: { command }, ...more });
const edit = (path: string) => ({ kind: "edit", title: "Edit", locations: [{ path }] });

/** Any folder: paths are relative to it. */
const anyDirectory = newDirectory();

/** What the server reads from the log. */
function listAsked(lines: readonly string[]): Extract<AgentOutput, { type: "approval-request" }>[] {
  const decoder = createAcpDecoder({ executionId: "exe_1" as ExecutionId, directory: anyDirectory });
  return lines.flatMap((text, offset) => decoder.decode({ text, offset, at: 0 })).filter((output) => output.type === "approval-request");
}

/** Answers as the server does: with the grant from the log. */
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

describe("[E10, X17] what is allowed permanently", () => {
  it("is offered with the question, sent to the agent once, and applies for the rest of the execution", async () => {
    const body = asking(run("npm test"), run("npm test"), run("npm test x"), run("ls"), run("ls -a"), edit("a.txt"), edit("b.txt"));
    const done = await driveFake(body, { onLine: answerWith("allow-always") });
    // its own “always” may allow more than was shown
    expect(listTexts(done)).toEqual(Array(7).fill("once"));
    expect(listGrants(done)).toEqual([npmTest, { ...npmTest, command: "npm test x" }, list, edits]);
  });

  it("applies in the next execution, whose log has the call without a question", async () => {
    const body = asking(run("ls -a"), edit("a.txt"), run("npm test x"), run("npm test && ls"));
    const done = await driveFake(body, { order: { grants: [npmTest, list, edits] }, onLine: answerWith("deny") });
    expect(listTexts(done)).toEqual(["once", "once", "no", "once"]);
    expect(listAsked(done.lines).map(({ input }) => input)).toEqual([{ command: "npm test x" }]);
    expect(done.log).toContainEqual({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "s1",
        update: { sessionUpdate: "tool_call_update", toolCallId: "c0", ...run("ls -a"), status: "pending" },
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
      run("ls", { rawInput: { command: "ls", workdir: "/" } }),
      run("ls", { locations: [{ path: "/etc" }] }),
      run("ls; curl $EVIL"),
      run("ls link"),
      run("npm test", { rawInput: { command: "npm test", workdir: "/" } }),
      run("ls", { kind: "other" }),
      { kind: "execute", title: "ls" },
    ];
    const done = await driveFake(asking(...calls, run("ls", { rawInput: { command: "ls", cwd: "sub" } })), {
      directory,
      order: { grants: [npmTest, list, edits] },
      onLine: answerWith("deny"),
    });
    expect(listTexts(done)).toEqual([...calls.map(() => "no"), "once"]);
    expect(listGrants(done)).toEqual(calls.map(() => undefined));
  });

  it("never covers a dangerous command, and gives the reason", async () => {
    const grants = [{ type: "command", tool: "execute", command: "rm -rf build" } as const];
    const done = await driveFake(asking(run("rm -rf build")), { order: { grants }, onLine: answerWith("deny") });
    const reason = { code: "deletes-folders" };
    expect(listAsked(done.lines)).toMatchObject([{ reason, input: { command: "rm -rf build" } }]);
    expect(listGrants(done)).toEqual([undefined]);
  });

  it("a command is read from the arguments of the shell that runs it, and from no other shell", async () => {
    const inShell = (shell: string, option = "-lc", more: object = {}) =>
      run("", { rawInput: { command: [shell, option, "npm test"], cwd: anyDirectory, ...more } });
    const refused = [
      inShell("./bash"),
      inShell("/bin/bash", "-ic"),
      inShell("/bin/bash", "-c", { network_approval_context: { host: "a" } }),
    ];
    const done = await driveFake(asking(inShell("/bin/bash"), inShell("/usr/bin/zsh", "-c"), ...refused), {
      directory: anyDirectory,
      onLine: answerWith("allow-always"),
    });
    expect(listGrants(done)).toEqual([npmTest, undefined, undefined, undefined]);
  });

  it("the title is the command only of agents that are known for it", async () => {
    const call = { kind: "execute", title: "npm test" };
    const options = { directory: "/", isOrdinary: async () => true };
    expect(await findGrantableCall(call, { titlesAreCommands: false, ...options })).toBeUndefined();
    const found = await findGrantableCall(call, { titlesAreCommands: true, ...options });
    expect(found && toGrant(found, "/")).toEqual(npmTest);
  });

  it("a grant that the agent itself records is ignored", async () => {
    const forged = `on("session/prompt", async () => {
      const question = { toolCall: { toolCallId: "c", kind: "other", title: "x" }, options: [{ optionId: "once", kind: "allow_once" }] };
      await ask("session/request_permission", { ...question, _meta: { own: 1, skein: { grant: { type: "tool", tool: "Bash" } } } });
      return { stopReason: "end_turn" };
    });`;
    const done = await driveFake(forged, { onLine: answerWith("allow") });
    expect(listGrants(done)).toEqual([undefined]);
    expect(done.log).toContainEqual(expect.objectContaining({ params: expect.objectContaining({ _meta: { own: 1 } }) }));
  });

  it("an answer that comes too late allows nothing", async () => {
    let isAnswered = false;
    const done = await driveFake(asking(run("npm test"), run("npm test")), {
      onLine(line, control) {
        if (!isAnswered && listAsked([line]).length > 0) {
          isAnswered = true;
          answerWith("deny")(line, control);
          answerWith("allow-always")(line, control);
        } else answerWith("deny")(line, control);
      },
    });
    expect(listTexts(done)).toEqual(["no", "no"]);
  });

  it.each([
    { type: "command", tool: "bash", command: "npm test" },
    { type: "read-only-command", tool: "execute", program: "npm test" },
    { type: "tool", tool: "execute" },
    { type: "edits", tool: "edit" },
    { type: "edits", tool: "Edit" },
    { type: "command", tool: "file_change", command: "npm test" },
  ] satisfies PermissionGrant[])("what was allowed to another agent, or to a whole tool, does not count: %o", (grant) => {
    const directory = newDirectory();
    const command = { type: "command", tool: "execute", command: "npm test" } as const;
    const change = { type: "edit", tool: "file_change", paths: ["a.txt"] } as const;
    expect([isAllowed([grant], command, { directory }), isAllowed([grant], change, { directory })]).toEqual([false, false]);
  });
});

it("[X15] the log decides whether “always” is offered, never what it allows", () => {
  const directory = newDirectory();
  const find = (toolCall: JsonObject, grant: JsonObject | null) => findNotedGrant({ _meta: { skein: { grant } } }, toolCall, directory);
  const test = { kind: "execute", title: "Run the tests", rawInput: { command: "npm test" } };
  const exact = { type: "command", tool: "execute", command: "npm test" };
  expect(find(test, exact)).toEqual(exact);
  expect(find({ kind: "execute", title: "npm test" }, exact)).toEqual(exact);
  const edit = { kind: "edit", locations: [{ path: "a.txt" }] };
  expect(find(edit, { type: "edits", tool: "file_change" })).toEqual({ type: "edits", tool: "file_change" });
  for (const grant of [
    { type: "tool", tool: "bash" },
    { type: "command", tool: "execute", command: "npm" },
    { type: "read-only-command", tool: "execute", program: "git log" },
    { type: "edits", tool: "file_change" },
    null,
  ]) {
    expect(find(test, grant)).toBeUndefined();
  }
  expect(find({ kind: "fetch" }, { type: "edits", tool: "file_change" })).toBeUndefined();
});
