import type { Approval, ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toConversationRows } from "./conversation-rows.ts";

const message = (id: string, role: "user" | "assistant") => ({ id, role, messageType: "text", content: "" }) as ConversationMessage;

describe("toConversationRows", () => {
  it("puts what waits for an answer after the messages, then that the agent works, then what is on its way", () => {
    const rows = toConversationRows({
      messages: [message("m1", "user"), message("m2", "assistant"), message("m3", "assistant")],
      approvals: [{ id: "apr_1", status: "pending" } as Approval, { id: "apr_0", status: "expired" } as Approval],
      outgoing: [{ commandId: "c1", text: "next", images: [], state: { kind: "sending" } }],
      runningSince: 5,
    });
    expect(rows.map(({ key }) => key)).toEqual(["m1", "m2", "m3", "apr_1", "working", "c1"]);
    expect(rows.map((row) => row.kind === "message" && row.isFirstOfRole)).toEqual([true, true, false, false, false, false]);
    expect(rows[4]).toMatchObject({ waiting: true, startedAt: 5 });
  });
});
