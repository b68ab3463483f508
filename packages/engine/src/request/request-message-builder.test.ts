import type { MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestMessage } from "./apply-compression.ts";
import { answer, answers, anyHistory, call, calls, user, validHistory } from "./history.fixture.ts";
import { RequestMessageBuilder } from "./request-message-builder.ts";
import { RequestValidationError } from "./request-validation-error.ts";
import { validateMessages } from "./validate-messages.ts";

function entities(...bodies: MessageBody[]): RequestMessage[] {
  return bodies.map((body, i) => ({ id: i + 1, body }));
}

const said = (content: string): MessageBody => ({ role: "assistant", content });

describe("the worked example", () => {
  const example: RequestMessage[] = [
    { id: 1, body: { role: "user", content: "执行命令 ls" } },
    { id: 2, body: { role: "assistant", toolCalls: [call("call_1")] } },
    { id: 3, body: { role: "tool", toolCallId: "call_1", content: "..." } },
    { id: 4, body: { role: "assistant", content: "命令执行完成" } },
    { id: 5, body: { role: "user", content: "再执行 pwd" } },
    { id: 6, body: { role: "assistant", toolCalls: [call("call_2")] } },
    { id: 7, body: { role: "tool", toolCallId: "call_2", content: "..." } },
    { id: 8, body: { role: "assistant", content: "" } },
  ];

  it("[R9][R7] builds message for message, and reports each step", () => {
    const lines: string[] = [];
    const built = new RequestMessageBuilder({ logger: { debug: (line) => lines.push(line) } })
      .setSystemPrompts(["You are a helpful assistant..."])
      .setMessages(example)
      .setCompressionSummary({ messageIds: [1, 2, 3, 4], startMessageId: 1, summary: "用户执行了 ls 命令，查看了目录内容" })
      .build();
    expect(built).toEqual([
      { role: "system", content: "You are a helpful assistant..." },
      { role: "system", content: "[Previous conversation summary]\n\n用户执行了 ls 命令，查看了目录内容" },
      { role: "user", content: "再执行 pwd" },
      { role: "assistant", content: "", toolCalls: [call("call_2")] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "call_2", toolName: "", input: null, result: "..." }] },
    ]);
    expect(lines).toEqual([
      "[RequestMessageBuilder] Starting message build pipeline",
      "[RequestMessageBuilder] After compression: 5 messages",
      "[RequestMessageBuilder] After filtering: 4 messages",
      "[RequestMessageBuilder] After orphaned tool fix: 4 messages",
      "[RequestMessageBuilder] After system prompts: 5 messages",
      "[RequestMessageBuilder] Validation passed: 5 messages",
    ]);
  });
});

describe("compression", () => {
  const build = (messageIds: number[], startMessageId: number) =>
    new RequestMessageBuilder()
      .setMessages(entities(said("1"), said("2"), said("3"), said("4")))
      .setCompressionSummary({ messageIds, startMessageId, summary: "S" })
      .build()
      .map(({ content }) => (typeof content === "string" && content.startsWith("[Previous conversation summary") ? "S" : content));

  it("[R2] the summary stands where the first message was", () => {
    expect(build([2, 3], 2)).toEqual(["1", "S", "4"]);
  });

  it("[R2] ids that no longer exist are ignored", () => {
    expect(build([2, 3, 77], 2)).toEqual(["1", "S", "4"]);
    expect(build([2, 3], 77)).toEqual(["1", "S", "4"]);
    expect(build([77], 78)).toEqual(["S", "1", "2", "3", "4"]);
  });

  it("[R2][R4] a summary that cuts through a pair leaves no orphan", () => {
    const built = new RequestMessageBuilder()
      .setMessages(entities(user, calls("a"), answers("a"), user))
      .setCompressionSummary({ messageIds: [1, 2], startMessageId: 1, summary: "S" })
      .build();
    expect(built.map(({ role }) => role)).toEqual(["system", "user"]);
  });

  it("[R11] the input is not changed", () => {
    const messages = entities(said("1"), calls("a"), user);
    const before = JSON.stringify(messages);
    new RequestMessageBuilder()
      .setMessages(messages)
      .setCompressionSummary({ messageIds: [1], startMessageId: 1, summary: "S" })
      .build();
    expect(JSON.stringify(messages)).toBe(before);
  });
});

describe("invalid messages", () => {
  it("[R3] empty assistant messages are dropped", () => {
    const signed: MessageBody = { role: "assistant", content: [{ type: "reasoning", text: "hm", signature: "s" }] };
    const unsigned: MessageBody = { role: "assistant", content: [{ type: "reasoning", text: "hm" }] };
    const blank: MessageBody = { role: "assistant", content: [{ type: "text", text: " \n" }] };
    const built = new RequestMessageBuilder()
      .setMessages(entities(user, said(""), said(" \n"), blank, unsigned, signed, said("x")))
      .build();
    expect(built).toEqual([user, signed, said("x")]);
  });
});

describe("system prompts", () => {
  it("[R5] are joined into one message at the front", () => {
    const build = (...prompts: string[]) => new RequestMessageBuilder().setSystemPrompts(prompts).setMessages(entities(user)).build();
    expect(build("mine", "default")).toEqual([{ role: "system", content: "mine\ndefault" }, user]);
    expect(build()).toEqual([user]);
    expect(build("", " ")).toEqual([user]);
  });
});

describe("validation", () => {
  it.each<[string, string, MessageBody[]]>([
    ["Messages cannot be empty", "empty", []],
    ["Messages cannot start with a tool message", "starts-with-tool", [answers("a")]],
    ["Found orphaned tool message after validation", "orphaned-tool", [user, answers("a")]],
    ["Found orphaned tool message after validation", "orphaned-tool", [calls("a"), answers("a"), answers("a")]],
    ["Found orphaned tool message after validation", "orphaned-tool", [user, { role: "tool", content: [] }]],
    ["Found unanswered tool call after validation", "unanswered-call", [calls("a", "b"), answers("a")]],
    ["Found unanswered tool call after validation", "unanswered-call", [calls("a", "a"), answers("a")]],
    ["Found unanswered tool call after validation", "unanswered-call", [calls("a"), user, answers("a")]],
    ["Found orphaned tool message after validation", "orphaned-tool", [calls("a", "b"), answers("b", "a")]],
  ])("[R6] %s (%s)", (message, problem, messages) => {
    let error: unknown;
    try {
      validateMessages(messages);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error).toMatchObject({ message, problem });
  });

  it("[R6] names the invalid part", () => {
    expect(() => validateMessages([calls("a"), { role: "tool", content: [answer("a"), answer("b")] }])).toThrowError(
      expect.objectContaining({ position: 1, toolCallId: "b" }),
    );
  });
});

describe("for any history", () => {
  it("[Q1] the request is valid, or the history was empty", () => {
    fc.assert(
      fc.property(anyHistory, fc.array(fc.nat(14)), fc.nat(14), (history, messageIds, startMessageId) => {
        const builder = new RequestMessageBuilder().setMessages(entities(...history));
        for (const summary of [null, { messageIds, startMessageId, summary: "S" }]) {
          try {
            validateMessages(builder.setCompressionSummary(summary).build());
          } catch (error) {
            expect(error).toMatchObject({ problem: "empty" });
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("[Q2] a valid history passes through unchanged", () => {
    fc.assert(
      fc.property(validHistory, (history) => {
        if (history.length === 0) return;
        const built = new RequestMessageBuilder().setMessages(entities(...history)).build();
        expect(built).toHaveLength(history.length);
        for (const [i, message] of built.entries()) expect(message).toBe(history[i]);
      }),
    );
  });
});
