import type { Approval, ConversationMessage, Execution } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toTimeline } from "./to-timeline.ts";

const execution = { id: "exe_1", status: "success", startedAt: 1000, endedAt: 2000, durationMs: 1000 } as Execution;
const tool = (id: string, timestamp: number, durationMs: number | null) =>
  ({
    id,
    messageType: "tool_execution",
    content: `Ran ${id}`,
    timestamp,
    metadata: { executionId: "exe_1", toolName: "bash", toolUseId: id, state: durationMs === null ? "running" : "completed", durationMs },
  }) as unknown as ConversationMessage;
const approval = (toolUseId: string, requestedAt: number, resolvedAt: number) =>
  ({ id: `apr_${toolUseId}`, executionId: "exe_1", toolUseId, toolName: "bash", requestedAt, resolvedAt, status: "answered" }) as Approval;
const shape = (timeline: ReturnType<typeof toTimeline>) => timeline.spans.map(({ kind, from, to }) => [kind, from, to]);

describe("toTimeline", () => {
  it("shows tools, waiting, and the model's time in between", () => {
    const messages = [tool("a", 1100, 200), tool("b", 1150, 100), tool("c", 1700, 100)];
    const timeline = toTimeline({ execution, messages, approvals: [approval("c", 1500, 1700)], now: 0 });
    expect(shape(timeline)).toEqual([
      ["model", 0, 100],
      ["tool", 100, 300],
      ["tool", 150, 250],
      ["model", 300, 500],
      ["waiting", 500, 700],
      ["tool", 700, 800],
      ["model", 800, 1000],
    ]);
    expect(timeline.totals).toEqual({ tool: 300, waiting: 200, model: 500 });
    expect(timeline.spans.find(({ kind }) => kind === "waiting")?.messageId).toBe("c");
  });

  it("continues while the execution runs, and leaves other executions out", () => {
    const running = { id: "exe_1", status: "running", startedAt: 1000 } as Execution;
    const other = { ...tool("x", 1000, 10), metadata: { executionId: "exe_0" } } as unknown as ConversationMessage;
    const timeline = toTimeline({ execution: running, messages: [other, tool("a", 1300, null)], approvals: [], now: 1900 });
    expect(shape(timeline)).toEqual([
      ["model", 0, 300],
      ["tool", 300, 900],
    ]);
    expect(timeline.spans[1]?.isRunning).toBe(true);
  });

  it("never leaves the execution's time, and the kinds without overlap never exceed it", () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.nat(2000));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const timeline = toTimeline({ execution, messages: spans.map(([at, took], i) => tool(`t${i}`, at, took)), approvals: [], now: 0 });
        for (const { from, to } of timeline.spans) expect(0 <= from && from <= to && to <= 1000).toBe(true);
        expect(timeline.totals.tool + timeline.totals.model).toBeLessThanOrEqual(1000);
      }),
    );
  });
});
