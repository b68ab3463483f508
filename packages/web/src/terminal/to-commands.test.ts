import type { ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toCommands } from "./to-commands.ts";

const ran = (id: string, data: object, metadata: object = {}) =>
  ({
    id,
    messageType: "tool_execution",
    timestamp: 7,
    revision: 3,
    metadata: { state: "completed", durationMs: 5, output: "", details: { type: "commandOutput", data }, ...metadata },
  }) as unknown as ConversationMessage;

describe("toCommands", () => {
  it("takes the commands out of a conversation, in order, with all that they printed", () => {
    const messages = [
      { id: "t", messageType: "text" } as ConversationMessage,
      ran("a", { command: "make", stdout: "out\n", stderr: "err", exitCode: 2 }, { state: "failed" }),
      ran("r", {}, { details: undefined, toolName: "bash", input: { command: "sleep 9" }, state: "running", output: "" }),
      ran("n", {}, { details: undefined, toolName: "note", input: { command: "no command" } }),
      ran("b", { command: "watch", stdout: "", stderr: "", exitCode: null }, { state: "running", output: "so far" }),
    ];
    expect(toCommands(messages)).toEqual([
      { messageId: "a", revision: 3, command: "make", output: "out\nerr", exitCode: 2, state: "failed", startedAt: 7, durationMs: 5 },
      { messageId: "r", revision: 3, command: "sleep 9", output: "", exitCode: null, state: "running", startedAt: 7, durationMs: null },
      { messageId: "b", revision: 3, command: "watch", output: "so far", exitCode: null, state: "running", startedAt: 7, durationMs: null },
    ]);
  });
});
