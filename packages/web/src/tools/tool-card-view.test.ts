import type { ToolExecution, ToolExecutionMessage, ToolSummary } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { formatToolSummaryZhCN } from "../i18n/zh-cn-tool-summaries.ts";
import { toToolCardView } from "./tool-card-view.ts";

const execution = (metadata: { state: ToolExecution["state"]; [field: string]: unknown }, content = "Ran npm test") =>
  ({
    id: "msg_1-0-merged",
    role: "assistant",
    messageType: "tool_execution",
    content,
    timestamp: 1000,
    revision: 1,
    metadata: {
      toolName: "Bash",
      toolUseId: "t1",
      input: { command: "npm test" },
      output: "ok",
      summary: content,
      isError: false,
      durationMs: 0,
      ...metadata,
    },
  }) as ToolExecutionMessage;

describe("toToolCardView", () => {
  it("[T2] a running card has no duration, an ended one has its own", () => {
    expect(toToolCardView(execution({ state: "running" }))).toMatchObject({
      state: "running",
      durationMs: null,
      startedAt: 1000,
      kind: "command",
    });
    expect(toToolCardView(execution({ state: "timed-out", isError: true, durationMs: 42 }))).toMatchObject({
      state: "timed-out",
      durationMs: 42,
    });
  });

  it("[Q14] an output that was too long can be had whole", () => {
    const metadata = { state: "completed" as const, executionId: "exe_1", outputFile: "call 1.txt" };
    expect(toToolCardView(execution(metadata)).downloadPath).toBe("/api/executions/exe_1/outputs/call%201.txt");
    expect(toToolCardView(execution({ state: "completed" })).downloadPath).toBeNull();
  });

  it("[Q4] only a card whose end was not seen is marked: the tool may have run", () => {
    const states = ["running", "completed", "failed", "denied", "interrupted", "timed-out"] as const;
    expect(states.filter((state) => toToolCardView(execution({ state })).mayHaveRun)).toEqual(["interrupted"]);
  });

  it("[U5] without a renderer it shows input and output as they are", () => {
    expect(toToolCardView(execution({ state: "completed", durationMs: 1, toolName: "mcp__jira__create" }))).toMatchObject({
      kind: "other",
      input: { command: "npm test" },
      output: "ok",
      details: null,
    });
  });

  it("[T7] what a renderer shows is not repeated, but an error always is", () => {
    const plan = { type: "plan", data: { plan: "1. do" } };
    expect(toToolCardView(execution({ state: "completed", durationMs: 1, details: plan }))).toMatchObject({
      input: null,
      output: null,
      kind: "plan",
    });
    expect(
      toToolCardView(execution({ state: "failed", isError: true, durationMs: 1, details: plan, output: "no such file" })),
    ).toMatchObject({
      output: "no such file",
      outputIsError: true,
    });
    const command = { type: "commandOutput", data: { command: "x", stdout: "", stderr: "bad", exitCode: 1 } };
    expect(toToolCardView(execution({ state: "failed", isError: true, durationMs: 1, details: command }))).toMatchObject({ output: null });
  });

  it("[T7] an edit counts the lines of all its files", () => {
    const hunk = (lines: string[]) => ({ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines });
    const details = {
      type: "diff",
      data: { filePath: "a", hunks: [hunk(["-a", "+b", "+c"])], otherFiles: [{ filePath: "b", hunks: [hunk(["-x"])] }] },
    };
    expect(toToolCardView(execution({ state: "completed", durationMs: 1, details }))).toMatchObject({
      kind: "edit",
      changes: { additions: 2, deletions: 2 },
    });
  });

  it("[T2] unmerged uses and results have cards of their own", () => {
    const base = { id: "msg_1", role: "assistant", timestamp: 5, revision: 1 } as const;
    expect(
      toToolCardView({
        ...base,
        messageType: "tool_use",
        content: "",
        metadata: { toolName: "Grep", toolUseId: "t", input: { pattern: "x" } },
      }),
    ).toMatchObject({ state: "requested", summary: "Grep", kind: "search", input: { pattern: "x" }, output: null });
    expect(toToolCardView({ ...base, messageType: "tool_result", content: "\nboom\nat x", metadata: { isError: true } })).toMatchObject({
      state: "failed",
      summary: "boom",
      output: "\nboom\nat x",
      outputIsError: true,
    });
  });

  it("[T8] a tool processor that failed is named on the card, and on the result where they are apart", () => {
    const processorFailure = { file: "mine.js", reason: "it threw" };
    const result = { id: "msg_1", role: "assistant", timestamp: 5, revision: 1, messageType: "tool_result" } as const;
    expect(toToolCardView(execution({ state: "completed", processorFailure })).processorFailure).toEqual(processorFailure);
    expect(toToolCardView({ ...result, content: "x", metadata: { isError: false, processorFailure } }).processorFailure).toEqual(
      processorFailure,
    );
  });

  it("[T8] a summary gets the words of the user's language; a sentence of an earlier release and what a tool printed do not", () => {
    const format = ({ action, subject, state }: ToolSummary) => `${action} ${subject} ${state}`.toUpperCase();
    const summary = { action: "run", subject: "npm test", state: "completed" };
    expect(toToolCardView(execution({ state: "completed", summary }), format).summary).toBe("RUN NPM TEST COMPLETED");
    const stored = { ...execution({ state: "completed" }), content: "Ran npm test" };
    expect(toToolCardView(stored, (data) => formatToolSummaryZhCN(data)).summary).toBe("Ran npm test");
    const result = { id: "msg_1", role: "assistant", timestamp: 5, revision: 1, messageType: "tool_result" } as const;
    expect(toToolCardView({ ...result, content: "Ran 5 tests", metadata: { isError: false } }, format).summary).toBe("Ran 5 tests");
  });

  it("[Q17] a long first line is cut between characters", () => {
    const base = { id: "msg_1", role: "assistant", timestamp: 5, revision: 1 } as const;
    const { summary } = toToolCardView({ ...base, messageType: "tool_result", content: "😀".repeat(300), metadata: { isError: false } });
    expect(summary).toBe(`${"😀".repeat(200)}…`);
  });
});
