import type { Approval, AttemptId, ConversationMessage, Execution } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { findRow, toConversationRows } from "./conversation-rows.ts";

const message = (id: string, role: "user" | "assistant") => ({ id, role, messageType: "text", content: "" }) as ConversationMessage;

describe("toConversationRows", () => {
  it("[E10] puts what waits for an answer after the messages, then since when the agent works or waits, then what is on its way", () => {
    const rows = toConversationRows({
      messages: [message("m1", "user"), message("m2", "assistant"), message("m3", "assistant")],
      approvals: [{ id: "apr_1", status: "pending", requestedAt: 7 } as Approval, { id: "apr_0", status: "expired" } as Approval],
      outgoing: [{ commandId: "c1", text: "next", images: [], steer: false, state: { kind: "sending" } }],
      executions: [],
      runningSince: 5,
      undo: null,
    });
    expect(rows.map(({ key }) => key)).toEqual(["m1", "m2", "m3", "apr_1", "working", "c1"]);
    expect(rows[4]).toMatchObject({ waiting: true, since: 7 });
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
    const rows = toConversationRows({ messages, approvals: [], outgoing: [], executions, runningSince: null, undo: null });
    expect(rows.map(({ key }) => key)).toEqual(["m1", "m2", "exe_1", "m3", "m4", "exe_2", "m5"]);
  });

  it("[R10] only the summary that is in use can be undone", () => {
    const summary = (id: string) =>
      ({ ...message(id, "assistant"), messageType: "summary", metadata: { summaryId: `sum_${id}` } }) as ConversationMessage;
    const messages = [summary("s1"), message("m1", "user"), summary("s2"), message("m2", "assistant")];
    const undone = (summaryId: string | null) => {
      const undo = summaryId === null ? null : { attemptId: "att_1" as AttemptId, summaryId };
      const rows = toConversationRows({ messages, approvals: [], outgoing: [], executions: [], runningSince: null, undo });
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
    const rows = toConversationRows({ messages, approvals: [], outgoing: [], executions, runningSince: null, undo: null });
    expect(rows.map(({ key }) => key)).toEqual(["group:r1", "exe_1"]);
    expect([findRow(rows, "r2"), findRow(rows, "nowhere")]).toEqual([0, -1]);
  });
});
