import { fixToolPairs, RequestMessageBuilder } from "@skein/engine";
import { expect } from "vitest";
import type { Played } from "./play-recording.fixture.ts";

const maxSnapshotLength = 64 * 1024;

/** Assertions that hold for every recording. */
export function checkPlayed({ outputs, conversation, messages, decoderSize }: Played): void {
  const cards = conversation.filter((message) => message.messageType === "tool_execution");
  expect(cards.filter((card) => card.metadata.state === "running")).toEqual([]);
  expect(outputs.filter((output) => output.type === "raw")).toEqual([]);
  checkResults(outputs, conversation);
  checkIds(conversation, messages);
  if (messages.length > 0) {
    const user = { id: "msg_0", body: { role: "user" as const, content: "do it" } };
    expect(() => new RequestMessageBuilder().setMessages([user, ...messages.map(({ id, body }) => ({ id, body }))]).build()).not.toThrow();
    // Every result already follows its call: there is nothing to repair.
    expect(fixToolPairs(messages.map(({ body }) => body)).repairs).toEqual([]);
  }
  expect(decoderSize).toBeLessThan(maxSnapshotLength);
}

/** Every result ended the card of its own call. */
function checkResults(outputs: Played["outputs"], conversation: Played["conversation"]): void {
  const results = outputs.filter((output) => output.type === "tool-result");
  expect(conversation.filter((message) => message.messageType === "tool_result")).toEqual([]);
  for (const result of results) {
    const cards = conversation.filter(
      (message) => message.messageType === "tool_execution" && message.metadata.toolUseId === result.toolUseId,
    );
    expect(cards).toHaveLength(1);
    expect(cards[0]?.messageType === "tool_execution" && cards[0].metadata.output).toBe(result.output);
  }
}

function checkIds(conversation: Played["conversation"], messages: Played["messages"]): void {
  for (const { id } of [...conversation, ...messages]) expect(id).toMatch(/^msg_r1_/);
  for (const message of conversation) {
    if (message.messageType === "tool_execution") expect(message.metadata.toolUseId).toMatch(/^r1_/);
  }
  expect(new Set(messages.map(({ position }) => position)).size).toBe(messages.length);
}
