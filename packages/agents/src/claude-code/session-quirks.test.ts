import type { JsonValue } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { assistant, resultOf, results, text, use } from "./lines.fixture.ts";
import { cards, notices, play } from "./quirks.fixture.ts";
import { bidirectionalNames, readExchange, readTrace, replay, toLogLines } from "./replay.fixture.ts";

describe("sessions and ends", () => {
  const end = (name: string) => replay(readTrace(name)).outputs.filter((output) => output.type === "end");

  it("[E3] the session is reported once, however many turns begin", () => {
    const { outputs } = replay(readTrace("2.1.325-input-two-turns"));
    expect(outputs.filter((output) => output.type === "session")).toHaveLength(1);
    expect(readTrace("2.1.325-input-two-turns").filter((line) => line.text.includes('"subtype":"init"')).length).toBeGreaterThan(1);
  });

  it("[E3] a session that is no longer known is distinguished from other failures", () => {
    expect(end("2.1.325-sess-8-unknown")).toMatchObject([{ status: "failed", code: "session-not-found" }]);
    expect(end("2.1.325-err-maxturns")[0]).not.toHaveProperty("code");
  });

  it("[E5] an API error is a failure, though its subtype says success", () => {
    expect(end("2.1.325-credit")).toMatchObject([{ status: "failed", reason: "Credit balance is too low" }]);
  });

  it("[E5] an interruption is not a failure, and its debug text is not shown", () => {
    for (const name of ["2.1.325-ctl-interrupt-text", "2.1.325-sigint-bash", "2.1.325-ctl-deny-interrupt"]) {
      expect(end(name)).toMatchObject([{ status: "cancelled" }]);
      expect(end(name)[0]).not.toHaveProperty("reason");
    }
  });

  it("[E9] each result reports the whole usage of the execution so far", () => {
    expect(end("2.1.325-input-two-turns").map((output) => output.usage)).toEqual([
      { inputTokens: 3477, outputTokens: 19, cacheReadTokens: 1000, cacheWriteTokens: 0, costUsd: 0.010488 },
      { inputTokens: 6618, outputTokens: 128, cacheReadTokens: 4000, cacheWriteTokens: 0, costUsd: expect.closeTo(0.013832, 9) },
    ]);
  });

  it("[E9] usage of earlier executions is not counted again in a resumed session", () => {
    expect(end("2.1.325-sess-2-resume")[0]?.usage).toMatchObject({ inputTokens: 3141, costUsd: 0.003284 });
    expect(end("2.1.112-sess-2-resume")[0]?.usage).toMatchObject({ inputTokens: 3124, costUsd: 0.002862 });
  });

  it("[E10] a question carries the id that its answer must name", () => {
    const { outputs } = replay(readTrace("2.1.325-ctl-ask-question"));
    const request = JSON.parse(readTrace("2.1.325-ctl-ask-question").find((line) => line.text.includes("can_use_tool"))?.text ?? "{}");
    const [question] = request.request.input.questions;
    const { multiSelect, ...asked } = question;
    expect(outputs.filter((output) => output.type === "approval-request")).toEqual([
      {
        type: "approval-request",
        toolName: "ask",
        toolUseId: request.request.tool_use_id,
        requestId: request.request_id,
        input: { questions: [{ ...asked, multiple: multiSelect }] },
        at: expect.any(Number),
      },
    ]);
  });

  it("[E10] a question of 1.0, which does not say whose it is, can be answered too", () => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
    const { outputs } = play({ type: "control_request", request_id: "r-1", request });
    expect(outputs).toMatchObject([{ type: "approval-request", toolUseId: "r-1", requestId: "r-1", toolName: "Bash" }]);
  });

  it("[T2] a tool that was stopped is interrupted, also with the text of older versions", () => {
    const output = "Exit code 137\n[Request interrupted by user for tool use]";
    const { shown } = play(assistant("m", [use("a")]), results([resultOf("a", output, true)]));
    expect(shown).toMatchObject([{ messageType: "tool_execution", metadata: { state: "interrupted" } }]);
  });

  it("[T2] a tool that was allowed and then stopped is interrupted, although the text is that of a denial", () => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "make" }, tool_use_id: "a" };
    const answered = (behavior: string) => ({
      type: "control_response",
      response: { subtype: "success", request_id: "r", response: { behavior } },
    });
    const endOf = (...answers: JsonValue[]) => {
      const ended = results([resultOf("a", "The user doesn't want to proceed with this tool use.", true)]);
      const { shown } = play(assistant("m", [use("a")]), { type: "control_request", request_id: "r", request }, ...answers, ended);
      return cards(shown)[0]?.metadata.state;
    };
    expect([endOf(answered("allow")), endOf(answered("deny")), endOf()]).toEqual(["interrupted", "denied", "denied"]);
  });

  it("[E10] only the question that is cancelled is withdrawn", () => {
    const { outputs } = replay(readTrace("2.1.325-ctl-interrupt-asking"));
    const [asked] = outputs.filter((output) => output.type === "approval-request");
    const withdrawn = outputs.filter((output) => output.type === "approval-withdrawn");
    expect(withdrawn).toEqual([{ type: "approval-withdrawn", toolUseId: asked?.toolUseId, at: expect.any(Number) }]);
    expect(replay(readTrace("2.1.325-ctl-deny")).outputs.filter((output) => output.type === "approval-withdrawn")).toEqual([]);
  });
});

describe("answers", () => {
  it.each(bidirectionalNames)("[E10] every answer in %s names a question that was read", (name) => {
    const exchange = readExchange(name);
    const { outputs } = replay(toLogLines(exchange.flatMap(({ dir, msg }) => (dir === "stdout" ? [JSON.stringify(msg)] : [])).join("\n")));
    const asked = outputs.flatMap((output) => (output.type === "approval-request" ? [output.requestId] : []));
    const answered = exchange.flatMap(({ dir, msg }) => (dir === "stdin" ? readAnswer(msg) : []));
    for (const requestId of answered) expect(asked).toContain(requestId);
    expect(outputs).toEqual(replay(readTrace(name)).outputs.map((output) => ({ ...output, at: expect.any(Number) })));
  });
});

/** Answers to tool requests; hooks, which Skein does not use, are answered differently. */
function readAnswer(message: JsonValue | undefined): string[] {
  const response = objectField(message, "response");
  const requestId = stringField(response, "request_id");
  return requestId !== undefined && stringField(objectField(response, "response"), "behavior") !== undefined ? [requestId] : [];
}

describe("notices", () => {
  it("one notice counts the retries of one request", () => {
    const retry = (attempt: number) => ({
      type: "system",
      subtype: "api_retry",
      attempt,
      max_retries: 3,
      retry_delay_ms: 1000,
      error_status: 529,
      error: "overloaded",
    });
    const { shown } = play(retry(1), retry(2), assistant("m", [text("a")]), retry(1));
    expect(notices(shown).map((notice) => notice.text)).toEqual([
      "The API answered 529 overloaded: retry 2 of 3 in 1.0 s.",
      "The API answered 529 overloaded: retry 1 of 3 in 1.0 s.",
    ]);
    expect(shown[0]).toMatchObject({ timestamp: 1000, revision: 2 });
  });

  it("[Q13] what a newer version sends is reported once per kind, and hides nothing", () => {
    const { shown, outputs } = play(
      { type: "hologram", data: 1 },
      { type: "hologram", data: 2 },
      { type: "system", subtype: "weather" },
      assistant("m", [{ type: "hologram" }, text("a")]),
    );
    expect(outputs.filter((output) => output.type === "raw")).toEqual([]);
    expect(notices(shown).map((notice) => notice.code)).toEqual(["unknown-output", "unknown-output", "unknown-output"]);
    expect(shown.at(-1)).toMatchObject({ messageType: "text", content: "a" });
  });

  it("[E5] a notice about a background command that 2.0.77 cannot parse does not turn success into failure", () => {
    const errors = ["only prompt commands are supported in streaming mode"];
    const failure = {
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      num_turns: 0,
      total_cost_usd: 0,
      usage: {},
      errors,
    };
    const work = [assistant("m", [text("a")]), { type: "result", subtype: "success", is_error: false, num_turns: 3, result: "a" }];
    const { outputs, shown } = play(...work, failure);
    expect(outputs.filter(({ type }) => type === "end")).toMatchObject([{ status: "success" }]);
    expect(notices(shown)).toEqual([{ text: "A background command ended.", code: "background-task" }]);
    // the same text as the answer to a prompt is a failure
    expect(play({ ...failure, num_turns: 1 }).outputs.at(-1)).toMatchObject({ type: "end", status: "failed" });
  });

  it("an answer that only the result contains is shown, and an empty one is reported", () => {
    const result = (words: string) => ({ type: "result", subtype: "success", is_error: false, result: words });
    expect(notices(play(result("Total cost: $1")).shown)).toEqual([{ text: "Total cost: $1", code: "command-output" }]);
    expect(notices(play(assistant("m", [text("a")]), result("a")).shown)).toEqual([]);
    expect(notices(play(result("")).shown)).toEqual([{ text: "Claude Code ended without an answer.", code: "empty-answer" }]);
  });
});
