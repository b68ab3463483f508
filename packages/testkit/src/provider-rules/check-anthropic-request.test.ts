import { describe, expect, it } from "vitest";
import { anthropicBody, assistant, result, rulesOf, text, use, user } from "./bodies.fixture.ts";
import { checkAnthropicRequest } from "./check-anthropic-request.ts";

const check = (messages: unknown[], rest?: Record<string, unknown>) => checkAnthropicRequest(anthropicBody(messages, rest));
const rules = (messages: unknown[], rest?: Record<string, unknown>) => rulesOf(check(messages, rest));
const loop = [user("hi"), assistant([text("reading"), use("a"), use("b")]), user([result("b"), result("a"), text("go on")])];

describe("tool pairs", () => {
  it("[A1] every tool_use is answered in the very next message", () => {
    expect(check(loop)).toEqual([]);
    expect(check([user("hi"), assistant([use("a"), use("b"), use("c")]), user([result("b")])])).toEqual([
      {
        rule: "A1",
        path: "messages.1",
        message:
          "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a, c. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
      },
    ]);
    expect(rules([user("hi"), assistant([use("a")]), user("no"), assistant("well"), user([result("a")])])).toEqual(["A1", "A3"]);
    expect(rules([user("hi"), assistant([use("a")])])).toEqual(["A10", "A1"]);
  });

  it("[A2] nothing comes after tool_use in an assistant turn", () => {
    expect(rules([user("hi"), assistant([use("a"), text("then")]), user([result("a")])])).toEqual(["A2"]);
    expect(rules([user("hi"), assistant([use("a"), text("then"), use("b")]), user([result("a"), result("b")])])).toEqual(["A2"]);
    expect(check([user("hi"), assistant([use("a"), text("then")]), user([result("a")])])[0]?.message).toContain(
      "`tool_use` ids were found without `tool_result` blocks immediately after: a.",
    );
  });

  it("[A3] a result needs its call in the previous message", () => {
    expect(check([user([result("a")])])).toEqual([
      {
        rule: "A3",
        path: "messages.0.content.0",
        message:
          "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
      },
    ]);
    expect(rules([user("hi"), assistant([use("a")]), user([result("a"), result("z")])])).toEqual(["A3"]);
  });

  it("[A4] results are first in the user message", () => {
    expect(check([user("hi"), assistant([use("a"), use("b")]), user([result("a"), text("so"), result("b")])])).toEqual([
      {
        rule: "A4",
        path: "messages.2",
        message:
          "messages.2: Did not find 1 `tool_result` block(s) at the beginning of this message. Messages following `tool_use` blocks must begin with a matching number of `tool_result` blocks.",
      },
    ]);
    expect(rules([user("hi"), assistant([use("a")]), user([text("so"), result("a")])])).toEqual(["A4"]);
  });

  it("[A5] call ids are unique in the whole request", () => {
    const again = [...loop, assistant([use("a")]), user([result("a")])];
    expect(check(again)).toEqual([
      { rule: "A5", path: "messages.3.content.0", message: "messages.3.content.0: `tool_use` ids must be unique" },
    ]);
    expect(rules([user("hi"), assistant([use("a"), use("a")]), user([result("a")])])).toEqual(["A5"]);
  });

  it("[A6] there is one result per call", () => {
    expect(check([user("hi"), assistant([use("a")]), user([result("a"), result("a")])])).toEqual([
      {
        rule: "A6",
        path: "messages.2.content.1",
        message: "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
      },
    ]);
  });

  it("[A7] tools are declared if tool blocks are present", () => {
    expect(rules(loop, { tools: [] })).toEqual(["A7"]);
    expect(rules(loop, { tools: undefined })).toEqual(["A7"]);
    expect(rules([user("hi")], { tools: undefined })).toEqual([]);
  });
});

describe("turns", () => {
  it("[A10] the last message is the user's", () => {
    expect(check([user("hi"), assistant("Sure, ")])).toEqual([
      {
        rule: "A10",
        path: "messages.1",
        message: "This model does not support assistant message prefill. The conversation must end with a user message.",
      },
    ]);
  });

  it("[A13] roles alternate and the first is the user", () => {
    expect(rules([user("hi"), assistant("yes"), user("go")])).toEqual([]);
    expect(check([user("hi"), user("there")])[0]?.message).toBe(
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    );
    expect(check([assistant("hello"), user("hi")])[0]?.message).toBe('messages: first message must use the "user" role');
    expect(rules([user("hi"), { role: "system", content: "be brief" }])).toEqual(["A13"]);
    const beta = anthropicBody([user("hi"), { role: "system", content: "be brief" }]);
    expect(checkAnthropicRequest(beta, { systemMessages: true })).toEqual([]);
  });

  it("an unknown block, a missing field or a block of the other role is an invalid request", () => {
    expect(check([user([text("a"), { type: "zork" }])])).toEqual([
      {
        rule: "shape",
        path: "messages.0.content.1.type",
        message: "messages.0.content.1.type: Input tag 'zork' does not match any of the expected tags",
      },
    ]);
    expect(check([user("hi"), assistant([{ ...use("a"), input: "{}" }]), user([result("a")])])[0]?.message).toBe(
      "messages.1.content.0.input: Input should be a valid dictionary",
    );
    expect(rules([user([use("a")])])).toEqual(["shape"]);
    expect(rules([user([use("a"), text("then")])])).toEqual(["shape"]);
    expect(rules([user("hi"), assistant([result("a")]), user("go")])).toEqual(["shape"]);
    expect(check([])[0]?.message).toBe("messages: at least one message is required");
    expect(check([user("hi")], { max_tokens: undefined })[0]?.message).toBe("max_tokens: Field required");
    expect(checkAnthropicRequest("hello")[0]?.message).toBe("The request body is not valid JSON");
    expect(rulesOf(checkAnthropicRequest(undefined))).toEqual(["shape"]);
  });
});
