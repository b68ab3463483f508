import { describe, expect, it } from "vitest";
import { rulesOf } from "./bodies.fixture.ts";
import { checkOpenAIResponsesRequest } from "./check-openai-responses-request.ts";

const user = { role: "user", content: "hi" };
const said = (id: string) => ({ type: "message", id, role: "assistant", content: [{ type: "output_text", text: "yes" }] });
const call = (callId: string, id?: string) => ({
  type: "function_call",
  call_id: callId,
  name: "read",
  arguments: "{}",
  ...(id && { id }),
});
const output = (callId: string) => ({ type: "function_call_output", call_id: callId, output: "ok" });
const custom = (callId: string) => ({ type: "custom_tool_call", call_id: callId, name: "patch", input: "x" });
const customOutput = (callId: string) => ({ type: "custom_tool_call_output", call_id: callId, output: "ok" });
const reasoning = (id: string) => ({ type: "reasoning", id, summary: [], encrypted_content: "gAAA" });
const check = (...input: unknown[]) => checkOpenAIResponsesRequest({ model: "gpt-test", input });
const messages = (...input: unknown[]) => check(...input).map(({ message }) => message);
const rules = (...input: unknown[]) => rulesOf(check(...input));

describe("checkOpenAIResponsesRequest", () => {
  it("[S1] each call has its output and each output its call", () => {
    expect(check(user, call("a"), call("b"), output("b"), output("a"), custom("c"), customOutput("c"))).toEqual([]);
    expect(messages(user, call("a"))).toEqual(["No tool output found for function call a."]);
    expect(messages(user, output("a"))).toEqual(["No tool call found for function call output with call_id a."]);
    expect(rules(user, output("a"), call("a"))).toEqual(["S1"]);
    expect(messages(user, call("a"), output("a"), output("a"))).toEqual(["Duplicate function call output found with call_id a."]);
    expect(rules(user, call("a"), output("a"), call("a"), output("a"))).toEqual(["S1"]);
  });

  it("[S1] custom tools too, and never one kind for the other", () => {
    expect(messages(user, custom("a"))).toEqual(["No tool output found for custom tool call a."]);
    expect(messages(user, custom("a"), output("a"))).toEqual([
      "No tool call found for function call output with call_id a.",
      "No tool output found for custom tool call a.",
    ]);
  });

  it("[S1] the calls of a stored response need not be sent again", () => {
    const body = { model: "gpt-test", input: [output("a")], previous_response_id: "resp_1" };
    expect(checkOpenAIResponsesRequest(body)).toEqual([]);
  });

  it("[S2] a reasoning item stands before what it belongs to", () => {
    expect(check(user, reasoning("rs_1"), call("a"), output("a"), reasoning("rs_2"), said("msg_1"), user)).toEqual([]);
    expect(check(user, reasoning("rs_1"), reasoning("rs_2"), said("msg_1"), user)).toEqual([]);
    const lost = "Item 'rs_1' of type 'reasoning' was provided without its required following item.";
    expect(messages(user, reasoning("rs_1"))).toEqual([lost]);
    expect(messages(user, reasoning("rs_1"), user)).toEqual([lost]);
    expect(messages(user, call("a"), reasoning("rs_1"), output("a"))).toEqual([lost]);
  });

  it("[S2] a reasoning item keeps its summary even if it is empty", () => {
    expect(check(user, { type: "reasoning", id: "rs_1" }, said("msg_1"), user)).toEqual([
      {
        rule: "S2",
        path: "input[1].summary",
        message: "Missing required parameter: 'input[1].summary'.",
        code: "missing_required_parameter",
      },
    ]);
  });

  it("[S3] call_id is at most 64 long", () => {
    expect(check(user, call("x".repeat(64)), output("x".repeat(64)))).toEqual([]);
    expect(check(user, call("x".repeat(65)), output("x".repeat(65)))[0]).toEqual({
      rule: "S3",
      path: "input[1].call_id",
      message:
        "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
      code: "string_above_max_length",
    });
  });

  it("[S3] item ids are unique and begin as their type asks", () => {
    expect(messages(user, call("a", "fc_1"), output("a"), call("b", "fc_1"), output("b"))).toEqual([
      "Duplicate item found with id fc_1. Remove duplicate items from your input and try again.",
    ]);
    expect(messages(user, call("a", "call_1"), output("a"))).toEqual([
      "Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.",
    ]);
    expect(rules(user, said("x_1"), user)).toEqual(["S3"]);
    expect(rules(user, reasoning("x_1"), said("msg_1"), user)).toEqual(["S3"]);
  });

  it("[S3] names are of [a-zA-Z0-9_-]", () => {
    expect(check(user, { ...call("a"), name: "a.b" }, output("a"))[0]).toMatchObject({ rule: "S3", path: "input[1].name" });
    const tools = [{ type: "function", name: "a b" }, { type: "web_search" }];
    expect(checkOpenAIResponsesRequest({ model: "gpt-test", input: "hi", tools }).map(({ path }) => path)).toEqual(["tools[0].name"]);
  });

  it("an unknown item or role is an invalid request", () => {
    expect(check(user, { type: "zork" })[0]?.path).toBe("input[1].type");
    expect(rules({ role: "tool", content: "x" })).toEqual(["shape"]);
    expect(rules(user, { ...call("a"), arguments: {} }, output("a"))).toEqual(["shape"]);
    expect(checkOpenAIResponsesRequest({ model: "gpt-test", input: "hi" })).toEqual([]);
  });
});
