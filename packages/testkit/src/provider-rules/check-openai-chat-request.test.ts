import { describe, expect, it } from "vitest";
import { rulesOf } from "./bodies.fixture.ts";
import { checkOpenAIChatRequest } from "./check-openai-chat-request.ts";

const user = { role: "user", content: "hi" };
const call = (id: string, name = "read", args: unknown = "{}") => ({ id, type: "function", function: { name, arguments: args } });
const calls = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => call(id)) });
const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });
const body = (messages: unknown[]) => ({ model: "gpt-test", messages });
const check = (...messages: unknown[]) => checkOpenAIChatRequest(body(messages));
const rules = (...messages: unknown[]) => rulesOf(check(...messages));

describe("checkOpenAIChatRequest", () => {
  it("[C1] every tool call is answered, directly after, before any other role", () => {
    expect(check(user, calls("a", "b"), tool("b"), tool("a"), user)).toEqual([]);
    expect(check(user, calls("a", "b"), tool("a"), user, tool("b"))).toEqual([
      {
        rule: "C1",
        path: "messages.[1].role",
        message:
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: b",
      },
      {
        rule: "C2",
        path: "messages.[4].role",
        message: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      },
    ]);
    expect(rules(user, calls("a"))).toEqual(["C1"]);
    expect(rules(user, calls("a", "a"), tool("a"))).toEqual(["C1"]);
  });

  it("[C2] a tool message needs a preceding call, and answers it once", () => {
    expect(rules(tool("a"))).toEqual(["C2"]);
    expect(rules(user, { role: "assistant", content: "yes" }, tool("a"))).toEqual(["C2"]);
    expect(check(user, calls("a"), tool("a"), tool("z"))[0]?.message).toBe(
      "Invalid parameter: 'tool_call_id' of 'z' not found in 'tool_calls' of previous message.",
    );
    expect(check(user, calls("a"), tool("a"), tool("a"))[0]?.message).toBe("Duplicate value for 'tool_call_id' of 'a' in message[3]");
  });

  it("[C3] content is null only with tool_calls, and never []", () => {
    expect(check(user, { role: "assistant", content: "" }, user)).toEqual([]);
    expect(check(user, { role: "assistant", refusal: "no" }, user)).toEqual([]);
    expect(check(user, { role: "assistant", content: null }, user)).toEqual([
      { rule: "C3", path: "messages.[1].content", message: "Invalid value for 'content': expected a string, got null." },
    ]);
    expect(rules({ role: "user", content: null })).toEqual(["C3"]);
    expect(rules({ role: "user" })).toEqual(["C3"]);
    expect(rules(user, calls("a"), { ...tool("a"), content: null })).toEqual(["C3"]);
    expect(check(user, { ...calls("a"), content: [] }, tool("a"))).toEqual([
      {
        rule: "C3",
        path: "messages[1].content",
        message: "Invalid 'messages[1].content': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        code: "empty_array",
      },
    ]);
    expect(rules(user, { role: "assistant", content: "yes", tool_calls: [] }, user)).toEqual(["C3"]);
  });

  it("[C4] call ids are at most 40 long", () => {
    expect(check(user, calls("x".repeat(40)), tool("x".repeat(40)))).toEqual([]);
    expect(check(user, calls("x".repeat(41)), tool("x".repeat(41)))[0]).toEqual({
      rule: "C4",
      path: "messages[1].tool_calls[0].id",
      message:
        "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
      code: "string_above_max_length",
    });
    expect(check(user, calls("x".repeat(41)), tool("x".repeat(41)))[1]?.path).toBe("messages[2].tool_call_id");
  });

  it("[C4] a custom tool's name is a name too", () => {
    const custom = (name: string) => ({ role: "assistant", tool_calls: [{ id: "a", type: "custom", custom: { name, input: "no JSON" } }] });
    expect(check(user, custom("patch"), tool("a"))).toEqual([]);
    expect(check(user, custom("a b"), tool("a"))[0]?.path).toBe("messages[1].tool_calls[0].custom.name");
  });

  it("[C4] names are of [a-zA-Z0-9_-]{1,64}, arguments a JSON string", () => {
    const called = (name: string, args?: unknown) => rules(user, { role: "assistant", tool_calls: [call("a", name, args)] }, tool("a"));
    expect(called("n".repeat(64))).toEqual([]);
    expect(called("n".repeat(65))).toEqual(["C4"]);
    expect(called("a.b")).toEqual(["C4"]);
    expect(called("")).toEqual(["C4"]);
    expect(check(user, { role: "assistant", tool_calls: [call("a", "read", {})] }, tool("a"))[0]?.message).toBe(
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    );
    expect(called("read", "{")).toEqual(["C4"]);
    expect(called("read", "")).toEqual(["C4"]);
    const tools = [{ type: "function", function: { name: "a b" } }];
    expect(checkOpenAIChatRequest({ ...body([user]), tools })[0]?.message).toBe(
      "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    );
  });

  it("[M1] Mistral requires ids of 9 letters and digits, and no user message right after a tool message", () => {
    const mistral = (...messages: unknown[]) => checkOpenAIChatRequest(body(messages), { mistral: true }).map(({ message }) => message);
    const yes = { role: "assistant", content: "yes" };
    expect(mistral(user, calls("abcdefgh9"), tool("abcdefgh9"), yes, user)).toEqual([]);
    expect(mistral(user, calls("abcdefgh9"), tool("abcdefgh9"), user)).toEqual(["Unexpected role 'user' after role 'tool'"]);
    const bad = "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.";
    expect(mistral(user, calls("call_1"), tool("call_1"))).toEqual([bad, bad]);
    expect(check(user, calls("abcdefgh9"), tool("abcdefgh9"), user)).toEqual([]);
  });

  it("an unknown role or part, or no message, is an invalid request", () => {
    expect(rules({ role: "bot", content: "hi" })).toEqual(["shape"]);
    expect(check({ role: "user", content: [{ type: "zork" }] })[0]?.path).toBe("messages[0].content[0].type");
    expect(check()[0]?.code).toBe("empty_array");
    expect(checkOpenAIChatRequest({ ...body([user]), tools: [] })[0]?.message).toMatch(/^Invalid 'tools': empty array/);
    expect(checkOpenAIChatRequest({ messages: [user] })[0]?.message).toBe("Missing required parameter: 'model'.");
  });
});
