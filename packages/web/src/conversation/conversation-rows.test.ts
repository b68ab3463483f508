import type { Approval, AttemptId, ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toConversationRows } from "./conversation-rows.ts";

const message = (id: string, role: "user" | "assistant") => ({ id, role, messageType: "text", content: "" }) as ConversationMessage;

describe("toConversationRows", () => {
  it("puts what waits for an answer after the messages, then that the agent works, then what is on its way", () => {
    const rows = toConversationRows({
      messages: [message("m1", "user"), message("m2", "assistant"), message("m3", "assistant")],
      approvals: [{ id: "apr_1", status: "pending" } as Approval, { id: "apr_0", status: "expired" } as Approval],
      outgoing: [{ commandId: "c1", text: "next", images: [], steer: false, state: { kind: "sending" } }],
      runningSince: 5,
      undoIn: null,
    });
    expect(rows.map(({ key }) => key)).toEqual(["m1", "m2", "m3", "apr_1", "working", "c1"]);
    expect(rows[4]).toMatchObject({ waiting: true, startedAt: 5 });
  });

  it("[R10] only the last summary can be undone", () => {
    const summary = (id: string) => ({ ...message(id, "assistant"), messageType: "summary" }) as ConversationMessage;
    const messages = [summary("s1"), message("m1", "user"), summary("s2"), message("m2", "assistant")];
    const rows = toConversationRows({ messages, approvals: [], outgoing: [], runningSince: null, undoIn: "att_1" as AttemptId });
    expect(rows.map((row) => row.kind === "message" && row.undoIn)).toEqual([null, null, "att_1", null]);
  });
});
