import { describe, expect, it } from "vitest";
import { assistant, messageStart, resultOf, results, streamEvent, text, textDelta, use } from "./lines.fixture.ts";
import { cards, play } from "./quirks.fixture.ts";
import { readTrace, replay } from "./replay.fixture.ts";

describe("messages", () => {
  it("[T6] blocks of one message in several lines stay one protocol message", () => {
    const { stored, shown } = play(assistant("m", [text("a")]), assistant("m", [use("t1")]), assistant("m", [use("t2")]));
    expect(stored.map((draft) => draft.body.role)).toEqual(["assistant", "tool", "tool"]);
    expect(shown.map((message) => message.id)).toEqual(["msg_t_m-0", "msg_t_m-1-merged", "msg_t_m-2-merged"]);
  });

  it("[T6] several blocks in one line are all kept", () => {
    const { shown } = play(assistant("m", [text("a"), use("t1"), use("t2")]));
    expect(shown.map((message) => message.id)).toEqual(["msg_t_m-0", "msg_t_m-1-merged", "msg_t_m-2-merged"]);
  });

  it("[T6] a result between two uses of one message does not end the message", () => {
    const { shown, stored } = play(
      assistant("m", [use("t1")]),
      results([resultOf("t1", "one")]),
      assistant("m", [use("t2")]),
      results([resultOf("t2", "two")]),
    );
    expect(cards(shown).map(({ metadata }) => [metadata.toolUseId, metadata.state, metadata.output])).toEqual([
      ["t1", "completed", "one"],
      ["t2", "completed", "two"],
    ]);
    expect(stored.map((draft) => draft.body.role)).toEqual(["assistant", "tool", "tool"]);
  });

  it("[T6] several results in one line are paired by id", () => {
    const { shown } = play(
      assistant("m", [use("t1"), use("t2")]),
      results([resultOf("t2", "two"), resultOf("t1", "one", true)], { tool_use_result: { stdout: "whose?" } }),
    );
    expect(cards(shown).map(({ metadata }) => [metadata.output, metadata.state, metadata.details?.data])).toMatchObject([
      ["one", "failed", { stdout: "one" }],
      ["two", "completed", { stdout: "two" }],
    ]);
  });

  it("[T4] a use without an id is shown as it is", () => {
    const { shown } = play(assistant("m", [{ type: "tool_use", name: "Bash", input: {} }]));
    expect(shown).toMatchObject([{ messageType: "tool_use", content: "Bash" }]);
  });

  it("[Q10] thinking keeps its signature, and the model that made it", () => {
    const { stored } = play(
      assistant("m", [{ type: "thinking", thinking: "hm", signature: "s1" }]),
      assistant("m", [{ type: "redacted_thinking", data: "xyz" }]),
      assistant("n", [text("next")]),
    );
    expect(stored[0]?.body.content).toEqual([
      { type: "reasoning", text: "hm", signature: "s1", model: "anthropic/claude-x" },
      { type: "reasoning", text: "", model: "anthropic/claude-x", providerData: { type: "redacted_thinking", data: "xyz" } },
    ]);
  });

  it("[R0] arguments that were not JSON are repeated as the model wrote them", () => {
    const { stored } = replay(readTrace("2.1.325-badjson"));
    const call = stored.flatMap(({ body }) => (body.role === "assistant" ? (body.toolCalls ?? []) : []))[0];
    expect(call?.function.arguments).toBe('{"file_path": "/tmp/x", "content": "unterminated');
  });

  it("[T1] output of a subagent names the subagent's card", () => {
    const { shown, stored } = replay(readTrace("2.1.325-subagent-fwd"));
    const [agent, inner] = cards(shown);
    expect(inner?.metadata.parentToolUseId).toBe(agent?.metadata.toolUseId);
    const said = shown.filter((message) => message.messageType === "text" && message.metadata?.parentToolUseId !== undefined);
    expect(said.map((message) => message.content)).toEqual(["Listing.", "SUBAGENT REPORT: the folder has been listed."]);
    expect(JSON.stringify(stored)).not.toContain("Listing.");
  });
});

describe("partial messages", () => {
  it("[T0] the complete block replaces its deltas", () => {
    const { shown, sent } = play(
      messageStart("m"),
      streamEvent({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      textDelta(0, "Hel"),
      textDelta(0, "lo"),
      assistant("m", [text("Hello")]),
      textDelta(0, "lo"),
      streamEvent({ type: "content_block_stop", index: 0 }),
    );
    expect(shown).toMatchObject([{ id: "msg_t_m-0", content: "Hello" }]);
    expect(sent.map((message) => message.content)).toEqual(["Hel", "Hello", "Hello"]);
  });

  it("[T0] a block that is never completed does not shift the next one", () => {
    const { shown } = play(
      messageStart("m"),
      streamEvent({ type: "content_block_start", index: 0 }),
      streamEvent({ type: "content_block_stop", index: 0 }),
      streamEvent({ type: "content_block_start", index: 1 }),
      textDelta(1, "Hel"),
      assistant("m", [text("Hello")]),
      streamEvent({ type: "content_block_stop", index: 1 }),
    );
    expect(shown).toMatchObject([{ id: "msg_t_m-1", content: "Hello" }]);
  });

  it("[N2] an answer that was cut off and retried is shown once", () => {
    const { shown } = play(
      messageStart("m"),
      streamEvent({ type: "content_block_start", index: 0 }),
      textDelta(0, "Hello wor"),
      { type: "system", subtype: "api_retry", attempt: 1, max_retries: 2, retry_delay_ms: 500, error_status: null, error: "unknown" },
      messageStart("n"),
      streamEvent({ type: "content_block_start", index: 0 }),
      textDelta(0, "Hello world"),
      assistant("n", [text("Hello world")]),
    );
    expect(shown.filter((message) => message.content !== "" && message.messageType === "text")).toMatchObject([{ content: "Hello world" }]);
  });

  it("[N2] 2.1 reports which blocks of a broken stream are abandoned: those are removed, and complete ones before them stay", () => {
    const abandoned = (id: string, from: number) => ({
      ...streamEvent({ type: "message_stop" }),
      abandoned_blocks: { api_message_id: id, from_block_index: from },
    });
    const { shown } = play(
      messageStart("m"),
      streamEvent({ type: "content_block_start", index: 0 }),
      textDelta(0, "Hello wor"),
      streamEvent({ type: "content_block_stop", index: 0 }),
      abandoned("m", 0),
      messageStart("n"),
      streamEvent({ type: "content_block_start", index: 0 }),
      textDelta(0, "Hello world"),
      assistant("n", [text("Hello world")]),
      streamEvent({ type: "content_block_start", index: 1 }),
      textDelta(1, "And mo"),
      abandoned("n", 1),
      messageStart("o"),
      assistant("o", [text("And more")]),
    );
    const words = shown.filter((message) => message.content !== "" && message.messageType === "text");
    expect(words.map(({ content, metadata }) => [content, metadata])).toEqual([
      ["Hello world", expect.not.objectContaining({ interrupted: true })],
      ["And more", expect.not.objectContaining({ interrupted: true })],
    ]);
  });

  it("[P5] text that was cut off stays, as interrupted", () => {
    const { shown } = play(messageStart("m"), streamEvent({ type: "content_block_start", index: 0 }), textDelta(0, "Hel"));
    expect(shown).toMatchObject([{ content: "Hel", metadata: { interrupted: true } }]);
  });
});

describe("results", () => {
  it("[T7] the exit code of a failed command is read from its text, and is no part of its output", () => {
    const { shown } = play(
      assistant("m", [use("t")]),
      results([resultOf("t", "Exit code 3\nboom", true)], { tool_use_result: "Error: Exit code 3\nboom" }),
    );
    expect(cards(shown)[0]?.metadata.details).toEqual({
      type: "commandOutput",
      data: { command: "ls", stdout: "boom", stderr: "", exitCode: 3 },
    });
  });

  it("[T7] an image that was read is shown, with its path", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
    const { shown, stored } = play(
      assistant("m", [use("t", "Read", { file_path: "/w/a.png" })]),
      results([resultOf("t", [image])], { tool_use_result: { type: "image", file: { base64: "aGk=", type: "image/png" } } }),
    );
    expect(cards(shown)[0]?.metadata.details).toEqual({
      type: "image",
      data: { mediaType: "image/png", data: "aGk=", filePath: "/w/a.png" },
    });
    expect(stored[1]?.body.content).toMatchObject([{ result: [{ type: "image", mediaType: "image/png", data: "aGk=" }] }]);
  });

  it("blocks that are neither text nor a known image are named", () => {
    const svg = { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "x" } };
    const { shown } = play(
      assistant("m", [use("t", "probe")]),
      results([resultOf("t", [text("a"), svg, { type: "tool_reference", tool_name: "X" }])]),
    );
    expect(cards(shown)[0]?.metadata.output).toBe("a\n[image: image/svg+xml]\n[tool_reference: X]");
  });

  it("[T7] an output that is too long names the file with all of it", () => {
    const card = cards(replay(readTrace("2.1.325-bigout")).shown)[0];
    expect(card?.metadata.details).toMatchObject({ type: "commandOutput", data: { exitCode: 0 } });
    expect(JSON.stringify(card?.metadata.details)).toMatch(/\[all of the output is in [^ ]*tool-results[^ ]*\.txt\]/);
  });

  it.each<[string, string, string]>([
    ["denied", "2.1.325-ctl-deny", "asked, and refused"],
    ["denied", "2.1.325-ctl-deny-interrupt", "asked, refused, and stopped"],
    ["denied", "2.1.325-perm-default-denied", "nobody to ask"],
    ["denied", "2.1.325-ctl-noanswer-eof", "stdin closed during the question"],
    ["interrupted", "2.1.325-ctl-interrupt-asking", "the question was taken back"],
    ["interrupted", "2.1.325-ctl-interrupt", "stopped while it ran, in the words of a refusal"],
    ["interrupted", "2.1.325-sigint-bash", "SIGINT while it ran"],
    ["interrupted", "2.1.325-sigkill-bash", "SIGKILL: no result at all"],
  ])("[T2] a tool is %s in %s: %s", (state, trace) => {
    expect(cards(replay(readTrace(trace)).shown)[0]?.metadata.state).toBe(state);
  });

  it("[T2] a denial that an older version reports only by Skein's own text is recognised", () => {
    const withoutMeta = readTrace("2.1.325-ctl-deny").map((line) => {
      const { tool_result_meta, ...value } = JSON.parse(line.text) as Record<string, unknown>;
      const text = JSON.stringify(value).replace(
        /(?<="content":")[^"]*(?=","is_error":true)/,
        "The user does not want this to be done: no.",
      );
      return { ...line, text };
    });
    expect(cards(replay(withoutMeta).shown)[0]).toMatchObject({ metadata: { state: "denied", output: expect.stringContaining(": no.") } });
  });

  it("[T9] generated user messages are not shown", () => {
    const shown = ["2.1.325-slash-compact", "2.1.325-refusal", "2.1.325-input-replay", "2.1.325-ctl-interrupt-text"].flatMap(
      (name) => replay(readTrace(name)).shown,
    );
    const words = JSON.stringify(shown);
    for (const foreign of ["being continued from", "safety classifier", "[[hello]]", "[Request interrupted"])
      expect(words).not.toContain(foreign);
  });
});
