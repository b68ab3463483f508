import type { ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { applyMergeMode } from "./apply-merge-mode.ts";

const tool = (id: string, timestamp: number, changes: object) =>
  ({
    id: `${id}-merged`,
    role: "assistant",
    messageType: "tool_execution",
    content: `Ran ${id}`,
    timestamp,
    revision: 2,
    metadata: { toolName: "bash", toolUseId: id, input: { id }, output: `out ${id}`, summary: "", isError: false, ...changes },
  }) as unknown as ConversationMessage;
const text = (id: string, timestamp: number, role = "assistant") =>
  ({ id, role, messageType: "text", content: id, timestamp, revision: 1 }) as ConversationMessage;

const history = [
  text("u", 0, "user"),
  tool("slow", 10, { state: "completed", durationMs: 50 }),
  tool("fast", 11, { state: "failed", isError: true, durationMs: 5 }),
  text("t", 40),
  tool("open", 70, { state: "running" }),
];

describe("applyMergeMode", () => {
  it("[T2] live shows everything as it is stored", () => expect(applyMergeMode(history, "live")).toBe(history));

  it("[T2] on-complete shows nothing of a tool until its result is there", () => {
    expect(applyMergeMode(history, "on-complete").map(({ id }) => id)).toEqual(["u", "slow-merged", "fast-merged", "t"]);
  });

  it("[T2] off shows each use, and each result where it came", () => {
    const shown = applyMergeMode(history, "off");
    expect(shown.map(({ id, messageType }) => [id, messageType])).toEqual([
      ["u", "text"],
      ["slow", "tool_use"],
      ["fast", "tool_use"],
      ["fast-merged-result", "tool_result"],
      ["t", "text"],
      ["slow-merged-result", "tool_result"],
      ["open", "tool_use"],
    ]);
    expect(shown[3]).toMatchObject({ content: "out fast", metadata: { toolUseId: "fast", isError: true, toolName: "bash" } });
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
  });
});
