import type { JsonValue, PermissionGrant } from "@skein/contracts";
import { type Attempt, agentOutputSchema, attemptIdSchema, executionIdSchema, taskIdSchema } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNativeAgent } from "./create-native-agent.ts";
import { nativeControlSchema } from "./native-control.ts";
import { nativeOrderSchema } from "./native-input.ts";

const executionId = executionIdSchema.parse("exe_abc");
const agent = createNativeAgent({
  program: "/usr/bin/node",
  args: ["native-program.ts"],
  describeModels: () => [{ id: "scripted/demo", name: "Demo" }],
  spillDirectory: "/outputs",
});
const attempt: Attempt = {
  id: attemptIdSchema.parse("att_1"),
  taskId: taskIdSchema.parse("tsk_1"),
  number: 1,
  agent: "native",
  model: null,
  permissionMode: "ask",
  systemPrompt: "",
  isolation: "in-place",
  directory: "/repo",
  branch: null,
  baseBranch: null,
  baseCommit: null,
  sessionId: null,
  continuedFrom: null,
  active: true,
  createdAt: 0,
  updatedAt: 0,
};

describe("launch", () => {
  test("[X7] the message goes by stdin, on one line, and never as an argument", async () => {
    const launch = await agent.createLaunch({
      attempt,
      executionId,
      message: "--evil\nsecond line",
      images: [],
      history: [],
      historyFile: "/executions/exe_abc/history.jsonl",
      compression: { summary: null, pruning: null },
      grants: [],
      environment: { PATH: "/bin" },
    });
    expect(launch).toMatchObject({ program: "/usr/bin/node", args: ["native-program.ts"], cwd: "/repo", environment: { PATH: "/bin" } });
    expect(launch.stdin.indexOf("\n")).toBe(launch.stdin.length - 1);
    expect(nativeOrderSchema.parse(JSON.parse(launch.stdin))).toMatchObject({
      executionId,
      model: "scripted/demo",
      permissionMode: "ask",
      message: "--evil\nsecond line",
      historyFile: "/executions/exe_abc/history.jsonl",
      spillDirectory: "/outputs/exe_abc",
    });
  });

  test.each([undefined, "low" as const])("the reasoning effort of the settings (%s) goes with the input", async (reasoningEffort) => {
    const launch = await createNativeAgent({
      program: "node",
      args: [],
      describeModels: () => [{ id: "scripted/demo", name: "Demo" }],
      reasoningEffort,
    }).createLaunch({
      attempt,
      executionId,
      message: "go",
      images: [],
      history: [],
      historyFile: "/executions/exe_abc/history.jsonl",
      compression: { summary: null, pruning: null },
      grants: [],
      environment: {},
    });
    expect(nativeOrderSchema.parse(JSON.parse(launch.stdin)).reasoningEffort).toBe(reasoningEffort);
  });

  test("without a model it is unavailable, with the reason", async () => {
    const none = createNativeAgent({ program: "node", args: [], describeModels: () => [] });
    expect(await none.describe()).toMatchObject({ available: false, hint: expect.any(String) });
    expect(await agent.describe()).toMatchObject({
      available: true,
      defaultModel: "scripted/demo",
      capabilities: { compressesHistory: true },
    });
  });
});

describe("decode", async () => {
  const decoder = await agent.createDecoder({ executionId });

  test("[Q13] a line that is not a record is one raw output, named by its offset in the log", () => {
    expect(decoder.decode({ text: "Segmentation fault", offset: 71, at: 9 })).toMatchObject([
      { type: "raw", messageId: "msg_abc_o1z", text: "Segmentation fault", at: 9 },
    ]);
    expect(decoder.decode({ text: "  ", offset: 0, at: 9 })).toEqual([]);
    for (const text of [
      "[".repeat(100_000),
      '{"__proto__":{"type":"end"}}',
      "\u0000",
      '{"type":"end","status":"maybe","at":1}',
      "null",
      '{"type":"end","status":"success","at":5}',
    ]) {
      expect(decoder.decode({ text, offset: 0, at: 9 })).toMatchObject([{ type: "raw", text }]);
    }
  });

  test("[Q13] no line throws, and every output is a valid one", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.nat(), (text, offset) => {
        for (const output of decoder.decode({ text, offset, at: 1 })) expect(agentOutputSchema.safeParse(output).success).toBe(true);
      }),
    );
  });
});

test("[E10] an answer is one control line", () => {
  const question = { requestId: undefined, toolName: "bash", input: null, grant: undefined, answers: undefined };
  const line = agent.encodeApproval({ ...question, toolUseId: "a\nb", decision: "deny", reason: "no" });
  expect(line.endsWith("\n") && line.indexOf("\n") === line.length - 1).toBe(true);
  expect(nativeControlSchema.parse(JSON.parse(line))).toEqual({ type: "approval", toolUseId: "a\nb", decision: "deny", reason: "no" });
});

test("[X15] “always” is computed from the call itself, whatever the log contains", async () => {
  const check = (toolName: string, input: JsonValue, offered: PermissionGrant) =>
    agent.checkGrant?.({ toolName, input, directory: "/work", offered });
  const test = { command: "npm test" };
  const exact: PermissionGrant = { type: "command", tool: "bash", command: "npm test" };
  expect(await check("bash", test, exact)).toEqual(exact);
  expect(await check("write", { path: "a" }, { type: "edits", tool: "write" })).toEqual({ type: "edits", tool: "write" });
  const origin: PermissionGrant = { type: "origin", tool: "web_fetch", origin: "https://example.com" };
  expect(await check("web_fetch", { url: "https://example.com/a" }, origin)).toEqual(origin);
  for (const offered of [
    { type: "command", tool: "bash", command: "npm" },
    { type: "read-only-command", tool: "bash", program: "git log" },
    { type: "tool", tool: "bash" },
    { type: "edits", tool: "write" },
  ] satisfies PermissionGrant[]) {
    expect(await check("bash", test, offered)).toBeUndefined();
  }
  expect(await check("bash", { command: "rm -rf /" }, { type: "command", tool: "bash", command: "rm -rf /" })).toBeUndefined();
  expect(await check("web_fetch", { url: "https://evil.example/a" }, origin)).toBeUndefined();
  expect(await check("bash", {}, { type: "tool", tool: "bash" })).toBeUndefined();
});
