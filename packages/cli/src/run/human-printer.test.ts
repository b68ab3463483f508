import { attemptIdSchema, type ConversationMessage, executionSchema, taskIdSchema } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { plain } from "../terminal/style.ts";
import { createHumanPrinter } from "./human-printer.ts";

const taskId = taskIdSchema.parse("tsk_1");
const attemptId = attemptIdSchema.parse("att_1");

function print(messages: ConversationMessage[]): string {
  let output = "";
  const printer = createHumanPrinter({ out: (text) => (output += text), paint: plain });
  for (const message of messages) printer.event({ event: { type: "message:added", taskId, attemptId, message } });
  return output;
}

const text = (id: string, content: string, revision = 1): ConversationMessage => ({
  id,
  role: "assistant",
  messageType: "text",
  content,
  timestamp: 1,
  revision,
});

const tool = (state: "running" | "completed"): ConversationMessage => {
  const shared = { toolName: "Read", toolUseId: "t", input: {}, output: "", summary: "Read a", isError: false } as const;
  const metadata = state === "running" ? { ...shared, state } : { ...shared, state, durationMs: 3 };
  return { id: "t-merged", role: "assistant", messageType: "tool_execution", content: "Read a", timestamp: 1, revision: 1, metadata };
};

describe("createHumanPrinter", () => {
  it("writes only the new part of a message", () => {
    expect(print([text("a", "Hel"), text("a", "Hello", 2), text("a", "Hello", 3)])).toBe("Hello");
  });

  it("[T2] writes a tool execution once, when it ended, on its own line", () => {
    expect(print([text("a", "Look:"), tool("running"), tool("completed"), tool("completed"), text("b", "Done")])).toBe(
      "Look:\n✓ Read a  3 ms\nDone",
    );
  });

  it("starts a new line for text that replaces what was shown", () => {
    expect(print([text("a", "Helo"), text("a", "Good day", 2)])).toBe("Helo\nGood day");
  });

  it("continues a message after a line came between", () => {
    expect(print([text("a", "one "), tool("completed"), text("a", "one two", 2)])).toBe("one \n✓ Read a  3 ms\ntwo");
  });

  it("does not repeat the user's own message", () => {
    expect(print([{ ...text("u", "do it"), role: "user" }])).toBe("");
  });

  it("ends with the outcome, and does not repeat an error", () => {
    let output = "";
    const printer = createHumanPrinter({ out: (chunk) => (output += chunk), paint: plain });
    const execution = executionSchema.parse({
      id: "exe_1",
      taskId,
      attemptId,
      number: 1,
      startedAt: 0,
      status: "failed",
      endedAt: 5_000,
      durationMs: 5_000,
      exitCode: 1,
      reason: "The model answered 401.",
      code: null,
      usage: { inputTokens: 10 },
    });
    if (execution.status === "running") throw new Error("the fixture has ended");
    printer.end(execution, ["See them: skein diff att_1"]);
    expect(output).toBe("\nFailed after 5.0 s (10 tokens in): The model answered 401.\nSee them: skein diff att_1\n");
    output = "";
    const error = { ...text("e", "The model answered 401."), role: "system", messageType: "error" } as ConversationMessage;
    printer.event({ event: { type: "message:added", taskId, attemptId, message: error } });
    printer.end(execution, []);
    expect(output).toBe("Error: The model answered 401.\n\nFailed after 5.0 s (10 tokens in)\n");
  });
});
