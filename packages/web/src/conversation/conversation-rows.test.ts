import type { Approval, AttemptId, ConversationMessage, Execution } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { findClosedRow, findRow, toConversationRows } from "./conversation-rows.ts";
import { toConversationTree } from "./nesting.ts";

const message = (id: string, role: "user" | "assistant") => ({ id, role, messageType: "text", content: "" }) as ConversationMessage;

type RowsInput = Parameters<typeof toConversationRows>[0];
const nothingElse = { open: new Set<string>(), approvals: [], outgoing: [], executions: [], running: null, undo: null };

function rowsOf({ messages, ...rest }: { messages: ConversationMessage[] } & Partial<RowsInput>) {
  return toConversationRows({ ...nothingElse, ...rest, nodes: toConversationTree(messages) });
}

describe("toConversationRows", () => {
  it("[E10] puts open questions after the messages, then since when the agent works or waits, then unsent messages", () => {
    const rows = rowsOf({
      messages: [message("m1", "user"), message("m2", "assistant"), message("m3", "assistant")],
      approvals: [{ id: "apr_1", status: "pending", requestedAt: 7 } as Approval, { id: "apr_0", status: "expired" } as Approval],
      outgoing: [{ commandId: "c1", text: "next", images: [], steer: false, state: { kind: "sending" } }],
      running: { status: "running", startedAt: 5 } as Execution,
    });
    expect(rows.map(({ key }) => key)).toEqual(["m1", "m2", "m3", "apr_1", "working", "c1"]);
    expect(rows[4]).toMatchObject({ waiting: true, since: 7 });
  });

  it("[L1] an execution that waits to be started is not working", () => {
    const running = { id: "exe_1", status: "running", startedAt: 5, wait: { for: "limit", since: 6, position: 1 } } as Execution;
    expect(rowsOf({ messages: [message("m1", "user")], running }).at(-1)).toEqual({
      ...{ kind: "held", key: "held" },
      ...{ executionId: "exe_1", wait: { for: "limit", since: 6, position: 1 } },
    });
  });

  it("[E9] ends each execution after its last message, and not before it has ended", () => {
    const of = (id: string, executionId: string) => ({ ...message(id, "assistant"), metadata: { executionId } }) as ConversationMessage;
    const messages = [of("m1", "exe_1"), of("m2", "exe_1"), message("m3", "user"), of("m4", "exe_2"), of("m5", "exe_3")];
    const executions = [
      { id: "exe_0", status: "success" },
      { id: "exe_1", status: "success" },
      { id: "exe_2", status: "cancelled" },
      { id: "exe_3", status: "running" },
    ] as Execution[];
    const rows = rowsOf({ messages, executions });
    expect(rows.map(({ key }) => key)).toEqual(["m1", "m2", "exe_1", "m3", "m4", "exe_2", "m5"]);
  });

  it("[R10] only the summary that is in use can be undone", () => {
    const summary = (id: string) =>
      ({ ...message(id, "assistant"), messageType: "summary", metadata: { summaryId: `sum_${id}` } }) as ConversationMessage;
    const messages = [summary("s1"), message("m1", "user"), summary("s2"), message("m2", "assistant")];
    const undone = (summaryId: string | null) => {
      const undo = summaryId === null ? null : { attemptId: "att_1" as AttemptId, summaryId };
      const rows = rowsOf({ messages, undo });
      return rows.map((row) => row.kind === "message" && row.undoIn);
    };
    expect(undone("sum_s2")).toEqual([null, null, "att_1", null]);
    expect(undone("sum_s1"), "after the later one was undone").toEqual(["att_1", null, null, null]);
    expect(undone(null)).toEqual([null, null, null, null]);
  });

  it("[E9] ends an execution after a group that is its last", () => {
    const read = (id: string) =>
      ({
        ...message(id, "assistant"),
        messageType: "tool_execution",
        metadata: { toolName: "read", executionId: "exe_1" },
      }) as ConversationMessage;
    const executions = [{ id: "exe_1", status: "success" }] as Execution[];
    const messages = [read("r1"), read("r2"), read("r3")];
    const rows = rowsOf({ messages, executions });
    expect(rows.map(({ key }) => key)).toEqual(["group:r1", "exe_1"]);
    expect([findRow(rows, "r2"), findRow(rows, "nowhere")]).toEqual([0, -1]);
  });

  describe("subagents", () => {
    const inside = (id: string, parentToolUseId?: string) =>
      ({
        ...message(id, "assistant"),
        messageType: "tool_execution",
        metadata: { toolName: "bash", toolUseId: id, parentToolUseId, state: "completed", executionId: "exe_1", summary: "" },
      }) as ConversationMessage;
    const messages = [inside("a"), inside("b"), inside("a1", "a"), inside("b1", "b"), inside("a11", "a1"), inside("c"), inside("b2", "b")];
    const executions = [{ id: "exe_1", status: "success" }] as Execution[];
    const keys = (open: string[]) => rowsOf({ messages, executions, open: new Set(open) }).map(({ key }) => key);

    it("[T7] are closed, each under its own card, until they are opened", () => {
      expect(keys([])).toEqual(["a", "b", "c", "exe_1"]);
      expect(keys(["b"])).toEqual(["a", "b", "b1", "b2", "c", "exe_1"]);
      expect(keys(["a", "a1"])).toEqual(["a", "a1", "a11", "b", "c", "exe_1"]);
    });

    it("[T7] are found inside the card that has to be opened", () => {
      const closed = rowsOf({ messages });
      expect([findRow(closed, "a11"), findClosedRow(closed, "a11")?.key]).toEqual([-1, "a"]);
      const half = rowsOf({ messages, open: new Set(["a"]) });
      expect(findClosedRow(half, "a11")?.key).toBe("a1");
      expect(findClosedRow(half, "a1")).toBeUndefined();
    });

    it("[T7] whose card is not loaded have a line of their own", () => {
      const rows = rowsOf({ messages: [inside("x1", "x"), inside("y1", "y"), inside("x2", "x")] });
      expect(rows.map((row) => row.kind === "cardless" && row.nested.view.tools)).toEqual([2, 1]);
    });

    it("[T7] are indented no deeper than a narrow screen can hold", () => {
      const chain = ["t1", "t2", "t3", "t4", "t5", "t6"].map((id, index) => inside(id, index === 0 ? undefined : `t${index}`));
      const rows = rowsOf({ messages: chain, open: new Set(chain.map(({ id }) => id)) });
      expect(rows.map((row) => row.kind === "message" && row.depth)).toEqual([0, 1, 2, 3, 4, 4]);
    });
  });
});
