import { expect, it } from "vitest";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { readTwoWayRecording, toLogLines } from "../recordings/read-recording.fixture.ts";
import { update } from "./acp-lines.fixture.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";

/** What the scripted server reported for each request of the recordings. */
const request = { inputTokens: 1000, outputTokens: 50, reasoningTokens: 10, cacheReadTokens: 200 };
const times = (count: number) => Object.fromEntries(Object.entries(request).map(([name, tokens]) => [name, tokens * count]));

function lastUsage(lines: Parameters<typeof playLines>[0]) {
  const end = playLines(lines, createAcpDecoder)
    .outputs.filter((output) => output.type === "end")
    .at(-1);
  return end?.usage;
}

it.each([
  ["qwen-0.24.4-tools", times(10)],
  ["qwen-0.24.4-tools-resume", times(1)],
  ["qwen-0.24.4-permission", times(5)],
  ["qwen-0.24.4-stop", times(1)],
  ["copilot-1.0.102-tools", { ...times(10), cacheWriteTokens: 0 }],
  ["copilot-1.0.102-tools-resume", { ...times(1), cacheWriteTokens: 0 }],
  ["copilot-1.0.102-permission", { ...times(4), cacheWriteTokens: 0 }],
  ["copilot-1.0.102-stop", { ...times(1), cacheWriteTokens: 0 }],
])("[E9] %s has the tokens that the server sent", (name, expected) => {
  expect(lastUsage(readTwoWayRecording("acp", `${name}.bidi.ndjson`))).toEqual(expected);
});

const prompt = (id: number) => ({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId: "s" } });
const answer = (id: number, result: object) => ({ jsonrpc: "2.0", id, result });
const hello = (name: string) => [{ jsonrpc: "2.0", id: 0, method: "initialize" }, answer(0, { agentInfo: { name } })];
const usage = (...lines: object[]) => lastUsage(toLogLines(lines.map((line) => JSON.stringify(line))));
const done = { stopReason: "end_turn", usage: { inputTokens: 7, outputTokens: 2, totalTokens: 9 } };

it("[E9] opencode reports only its last request, which is a lower bound after a call", () => {
  const call = update({ sessionUpdate: "tool_call", toolCallId: "c", title: "read", kind: "read" });
  expect(usage(...hello("OpenCode"), prompt(1), answer(1, done))).toEqual({ inputTokens: 7, outputTokens: 2 });
  expect(usage(...hello("OpenCode"), prompt(1), call, answer(1, done), prompt(2), answer(2, done))).toEqual({
    inputTokens: 14,
    outputTokens: 4,
    isPartial: true,
  });
  expect(usage(...hello("another"), prompt(1), call, answer(1, done))).toEqual({ inputTokens: 7, outputTokens: 2 });
});

it("[E9] cached tokens and thoughts are counted once, inside or next to the rest as the total shows", () => {
  const counts = { inputTokens: 100, outputTokens: 20, thoughtTokens: 5, cachedReadTokens: 40 };
  const of = (totalTokens: number) => usage(prompt(1), answer(1, { stopReason: "end_turn", usage: { ...counts, totalTokens } }));
  const details = { reasoningTokens: 5, cacheReadTokens: 40 };
  expect(of(120)).toEqual({ inputTokens: 100, outputTokens: 20, ...details });
  expect(of(165)).toEqual({ inputTokens: 140, outputTokens: 25, ...details });
  expect(of(160)).toEqual({ inputTokens: 140, outputTokens: 20, ...details });
});
