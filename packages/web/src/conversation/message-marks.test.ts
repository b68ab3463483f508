import type { ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { findMarked } from "./message-marks.ts";

const message = (id: string, changes: object) =>
  ({ id, role: "assistant", content: "", timestamp: 0, revision: 1, ...changes }) as ConversationMessage;
const messages = [
  message("u1", { role: "user", messageType: "text" }),
  message("bad", { messageType: "tool_execution", metadata: { state: "failed" } }),
  message("ok", { messageType: "tool_execution", metadata: { state: "completed" } }),
  message("u2", { role: "user", messageType: "text" }),
  message("err", { messageType: "error" }),
  message("denied", { messageType: "tool_execution", metadata: { state: "denied" } }),
];
const find = (kind: "error" | "prompt", direction: "next" | "previous", from: string | null) =>
  findMarked(messages, { kind, direction, from })?.id;

describe("findMarked", () => {
  it("goes from one error to the next and back", () => {
    expect([find("error", "next", "u1"), find("error", "next", "bad"), find("error", "next", "denied")]).toEqual(["bad", "err", undefined]);
    expect([find("error", "previous", "err"), find("error", "previous", "bad")]).toEqual(["bad", undefined]);
  });

  it("begins at the end, where nothing was looked at yet", () => {
    expect([find("error", "previous", null), find("prompt", "previous", null), find("prompt", "next", null)]).toEqual([
      "denied",
      "u2",
      undefined,
    ]);
    expect(find("prompt", "previous", "gone")).toBe("u2");
  });
});
