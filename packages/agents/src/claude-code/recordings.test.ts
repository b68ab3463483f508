import { agentOutputSchema, conversationMessageSchema, type ToolExecutionMessage } from "@skein/contracts";
import { projectMessages, RequestMessageBuilder } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { describeConversation } from "./describe-conversation.fixture.ts";
import { type Replay, readTrace, replay, traceNames } from "./replay.fixture.ts";

function cardsOf({ shown }: Replay): ToolExecutionMessage[] {
  return shown.filter((message) => message.messageType === "tool_execution");
}

interface RawResult {
  toolUseId: string;
  isError: boolean;
}

/** Read without the decoder: the content of the recording itself. */
function listRawBlocks(name: string, lineType: string, blockType: string): { [key: string]: unknown }[] {
  return readTrace(name).flatMap(({ text }) => {
    const line = JSON.parse(text);
    return line.type === lineType && Array.isArray(line.message.content)
      ? line.message.content.filter((block: { type: string }) => block.type === blockType)
      : [];
  });
}

function listRawResults(name: string): RawResult[] {
  return listRawBlocks(name, "user", "tool_result").map((block) => ({
    toolUseId: String(block.tool_use_id),
    isError: block.is_error === true,
  }));
}

describe.each(traceNames)("%s", (name) => {
  const lines = readTrace(name);
  const whole = replay(lines);

  it("[T9] is the conversation that was recorded", async () => {
    await expect(describeConversation(whole)).toMatchFileSnapshot(`__fixtures__/conversations/${name}.txt`);
  });

  it("[Q13] is read completely: no raw output, every output and message valid", () => {
    expect(whole.outputs.filter((output) => output.type === "raw")).toEqual([]);
    for (const output of whole.outputs) agentOutputSchema.parse(output);
    for (const message of whole.sent) conversationMessageSchema.parse(message);
  });

  it("[T1] shows each tool use as one card with its own result, none left running", () => {
    const cards = cardsOf(whole);
    const results = new Map(listRawResults(name).map((result) => [result.toolUseId, result]));
    expect(cards.map((card) => card.metadata.toolUseId)).toEqual(listRawBlocks(name, "assistant", "tool_use").map((block) => block.id));
    expect(listRawResults(name).every(({ toolUseId }) => cards.some((card) => card.metadata.toolUseId === toolUseId))).toBe(true);
    expect(whole.shown.filter((message) => message.messageType === "tool_result")).toEqual([]);
    for (const { metadata } of cards) {
      const result = results.get(metadata.toolUseId);
      expect(metadata.state).not.toBe("running");
      if (result === undefined) expect(metadata.state).toBe("interrupted");
      else expect(metadata.isError).toBe(result.isError);
    }
  });

  it("[T0] shows each text of the recording once", () => {
    const texts = listRawBlocks(name, "assistant", "text").map((block) => block.text);
    const shown = whole.shown.filter(({ messageType }) => messageType === "text" || messageType === "error");
    expect(shown.map((message) => message.content)).toEqual(texts);
    expect(shown.every((message) => message.messageType !== "text" || message.metadata?.streaming !== true)).toBe(true);
  });

  it("[Q1] yields messages that a request can be built from", () => {
    const user = { id: "msg_u", body: { role: "user" as const, content: "go" } };
    const build = () => new RequestMessageBuilder().setMessages([user, ...whole.stored, { ...user, id: "msg_v" }]).build();
    expect(build).not.toThrow();
    const calls = whole.stored.flatMap(({ body }) => (body.role === "assistant" ? (body.toolCalls ?? []).map((call) => call.id) : []));
    const answers = whole.stored.flatMap(({ body }) => (body.role === "tool" ? body.content.map((part) => part.toolCallId) : []));
    expect(answers.sort()).toEqual(calls.sort());
  });

  it("[Q7] is the same after a restart at any line", () => {
    const expected = { outputs: whole.outputs, sent: whole.sent, stored: whole.stored };
    for (let cut = 0; cut < lines.length; cut++) {
      const { outputs, sent, stored } = replay(lines, { restartAt: new Set([cut]) });
      expect({ outputs, sent, stored }).toEqual(expected);
    }
    const { outputs, sent, stored } = replay(lines, { restartAt: new Set(lines.keys()) });
    expect({ outputs, sent, stored }).toEqual(expected);
  });

  it("[T2] shows the same tools in every merge mode", () => {
    expect(projectMessages(whole.shown, "on-complete")).toEqual(whole.shown);
    const off = projectMessages(whole.shown, "off");
    expect(off.filter((message) => message.messageType === "tool_use")).toHaveLength(cardsOf(whole).length);
    expect(off.filter((message) => message.messageType === "tool_result" && message.metadata.isLate !== true)).toHaveLength(
      cardsOf(whole).length,
    );
  });
});
