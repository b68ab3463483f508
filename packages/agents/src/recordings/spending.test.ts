import type { AgentOutput } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { createAcpDecoder } from "../acp/create-acp-decoder.ts";
import { createClaudeCodeDecoder } from "../claude-code/create-claude-code-decoder.ts";
import { createCodexDecoder } from "../codex/create-codex-decoder.ts";
import { findProviderLimit } from "../failures/find-provider-limit.ts";
import { playLines } from "./play-recording.fixture.ts";
import { listRecordings, readRecording, readTwoWayRecording, toLogLines } from "./read-recording.fixture.ts";

type Reported = Extract<AgentOutput, { type: "usage" }>;

const isUsage = (output: AgentOutput): output is Reported => output.type === "usage";
const findEnd = (outputs: readonly AgentOutput[]) => outputs.findLast((output) => output.type === "end");
const tokens = ({ inputTokens = 0, outputTokens = 0 }: Reported["usage"]): number => inputTokens + outputTokens;

describe("what agents report while they work", () => {
  const partial = listRecordings("claude-code", /partial/);

  test("[L2] Claude Code: the tokens of each request, as they end; together those of the result", () => {
    expect(partial.length).toBeGreaterThan(0);
    for (const name of partial) {
      const { outputs } = playLines(readRecording("claude-code", name), createClaudeCodeDecoder);
      const reports = outputs.filter(isUsage);
      const end = findEnd(outputs);
      expect(reports.length, name).toBeGreaterThan(3);
      expect(tokens(reports.at(-1)?.usage ?? {}), name).toBe(tokens(end?.usage ?? {}));
      const [first, second] = reports as [Reported, Reported];
      expect(tokens(first.usage), name).toBeGreaterThan(0);
      expect(tokens(second.usage) - tokens(first.usage), name).toBe(tokens(second.request?.usage ?? {}));
      expect(first.request?.model, name).toMatch(/^anthropic\/claude-/);
    }
  });

  test("[L2] Codex: the tokens of the thread after each request; together those of the turn", () => {
    for (const name of listRecordings("codex", /^codex-appserver-full/)) {
      const { outputs } = playLines(readTwoWayRecording("codex", name), createCodexDecoder);
      const reports = outputs.filter(isUsage);
      expect(reports.length).toBeGreaterThan(2);
      const firstTurn = outputs.find((output) => output.type === "end");
      const before = outputs.slice(0, outputs.indexOf(firstTurn as AgentOutput)).filter(isUsage);
      expect(before.at(-1)?.usage).toEqual(firstTurn?.usage);
      expect(reports[0]?.request?.model).toMatch(/^openai\/gpt-/);
    }
  });

  test("[L2] ACP: Qwen Code reports each request, claude-agent-acp the cost; the figures grow up to those of the end", () => {
    const readAcp = (name: string) => playLines(readTwoWayRecording("acp", `${name}.bidi.ndjson`), createAcpDecoder).outputs;
    const qwen = readAcp("qwen-0.24.4-tools");
    expect(tokens(qwen.filter(isUsage).at(-1)?.usage ?? {})).toBe(tokens(findEnd(qwen)?.usage ?? {}));
    const costs = readAcp("claude-agent-acp-0.99.1-tools")
      .filter(isUsage)
      .flatMap(({ usage }) => usage.costUsd ?? []);
    expect(costs.length).toBeGreaterThan(0);
    expect(costs).toEqual(costs.toSorted((a, b) => a - b));
  });
});

describe("limits that agents report", () => {
  const playClaude = (...lines: object[]) =>
    playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createClaudeCodeDecoder).outputs;
  // the shape of paperclipai/paperclip#5776 and handarbeit/fabrik#1815
  const event = (info: object) => ({
    type: "rate_limit_event",
    rate_limit_info: { overageStatus: "rejected", isUsingOverage: false, ...info },
  });

  test("[L3] Claude Code: the event names the window and the time; one that only informs is no limit", () => {
    const outputs = playClaude(
      event({ status: "allowed", resetsAt: 1795010400, rateLimitType: "five_hour" }),
      event({ status: "allowed_warning", resetsAt: 1795010400, rateLimitType: "seven_day" }),
      event({ status: "rejected", resetsAt: 1795010400, rateLimitType: "five_hour" }),
      event({ status: "rejected", resetsAt: 1795010400, rateLimitType: "seven_day_opus" }),
      event({ status: "allowed", resetsAt: 1795028400, rateLimitType: "five_hour" }),
    );
    expect(outputs.map((output) => (output.type === "limit" ? output.limit : output.type))).toEqual([
      { code: "plan-limit", resetsAt: 1795010400_000, scope: "session" },
      { code: "plan-limit", resetsAt: 1795010400_000, scope: "model" },
      null,
    ]);
  });

  test("[L3] Codex: the window that is used up, of the last figures before the turn failed", () => {
    const window = (usedPercent: number, windowDurationMins: number, resetsAt: number) => ({ usedPercent, windowDurationMins, resetsAt });
    const fail = (rateLimits: object | undefined) => {
      const lines = [
        { method: "turn/started", params: { threadId: "t", turn: { id: "u" } } },
        ...(rateLimits === undefined ? [] : [{ method: "account/rateLimits/updated", params: { rateLimits } }]),
        {
          method: "turn/completed",
          params: {
            threadId: "t",
            turn: { id: "u", status: "failed", error: { message: "You've hit your usage limit.", codexErrorInfo: "usageLimitExceeded" } },
          },
        },
      ];
      const log = toLogLines([JSON.stringify({ id: 1, method: "initialize" }), ...lines.map((line) => JSON.stringify(line))]);
      return playLines(log, createCodexDecoder).outputs.find((output) => output.type === "limit")?.limit;
    };
    const primary = window(100, 300, 1795010400);
    expect(fail({ primary, secondary: window(40, 10_080, 1795500000) })).toEqual({
      code: "plan-limit",
      resetsAt: 1795010400_000,
      scope: "session",
    });
    expect(fail({ primary, secondary: window(100, 10_080, 1795500000) })).toMatchObject({ resetsAt: 1795500000_000, scope: "week" });
    expect(fail(undefined)).toEqual({ code: "plan-limit", resetsAt: null, scope: "account" });
  });

  test.each(["claude-agent-acp-0.99.1-error429", "zed-codex-acp-0.16.0-error429"])("[L3] %s fails with the text of a limit", (name) => {
    const { outputs } = playLines(readTwoWayRecording("acp", `${name}.bidi.ndjson`), createAcpDecoder);
    const end = findEnd(outputs);
    expect(end).toMatchObject({ type: "end", status: "failed" });
    const said = end?.type === "end" && typeof end.reason === "string" ? end.reason : "";
    expect(findProviderLimit(said, { now: 0 }), said).toMatchObject({ code: "rate-limit" });
  });

  test("[L3] an ACP agent that ends a prompt normally with the text of a limit has failed; one that explains such a text has not", () => {
    const play = (answer: string) => {
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: answer } };
      const lines = [
        { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } },
        { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } },
        { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
      ];
      return findEnd(playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createAcpDecoder).outputs);
    };
    const text = "You've hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours 14 minutes.";
    expect(play(text)).toMatchObject({ status: "failed", reason: text });
    expect(play(`The message “${text}” means that your plan accepts no more requests.`)).toMatchObject({ status: "success" });
  });
});
