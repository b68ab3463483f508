import { describe, expect, it } from "vitest";
import { rulesOf } from "./bodies.fixture.ts";
import { checkGeminiRequest } from "./check-gemini-request.ts";

const text = (value: string) => ({ text: value });
const call = (name: string, rest: object = {}) => ({ functionCall: { name, args: {} }, ...rest });
const response = (name: string) => ({ functionResponse: { name, response: { output: "ok" } } });
const user = (...parts: unknown[]) => ({ role: "user", parts });
const model = (...parts: unknown[]) => ({ role: "model", parts });
const check = (...contents: unknown[]) => checkGeminiRequest({ contents }, "gemini-2.5-flash");
const messages = (...contents: unknown[]) => check(...contents).map(({ message }) => message);
const rules = (...contents: unknown[]) => rulesOf(check(...contents));
const hi = user(text("hi"));

describe("checkGeminiRequest", () => {
  it("[G1] as many responses as calls, in the one next turn", () => {
    const unequal =
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
    expect(check(hi, model(text("so"), call("a"), call("b")), user(response("b"), response("a"), text("go")))).toEqual([]);
    expect(messages(hi, model(call("a"), call("b")), user(response("a")))).toEqual([unequal]);
    expect(messages(hi, model(call("a")), user(response("a"), response("a")))).toEqual([unequal]);
    expect(messages(hi, model(call("a")), user(response("z")))).toEqual([unequal]);
    expect(rules(hi, model(call("a")), user(text("no")))).toEqual(["G1"]);
    expect(messages(hi, model(call("a"), call("b")), user(response("a")), user(response("b")))).toEqual([
      unequal,
      "Please ensure that function response turn comes immediately after a function call turn.",
    ]);
    expect(rules(user(response("a")))).toEqual(["G1"]);
  });

  it("[G1] where a call has an id, its response has the same", () => {
    const identified = { functionCall: { id: "1", name: "a", args: {} } };
    const answered = (id?: string) => user({ functionResponse: { ...(id && { id }), name: "a", response: {} } });
    expect(check(hi, model(identified), answered("1"))).toEqual([]);
    expect(rules(hi, model(identified), answered("2"))).toEqual(["G1"]);
    expect(rules(hi, model(identified), answered())).toEqual(["G1"]);
  });

  it("[G2] a call turn comes right after a user or response turn", () => {
    const misplaced = "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
    expect(check(hi, model(call("a")), user(response("a")), model(call("b")), user(response("b")))).toEqual([]);
    expect(messages(model(call("a")), user(response("a")))).toEqual([misplaced]);
    expect(messages(hi, model(text("so")), model(call("a")), user(response("a")))).toEqual([misplaced]);
  });

  it("[G3] roles are user and model, and the last is user or a response", () => {
    expect(check({ parts: [text("hi")] })).toEqual([]);
    expect(messages(hi, { role: "function", parts: [text("x")] })).toEqual(["Please use a valid role: user, model."]);
    expect(rules(hi, { role: "assistant", parts: [text("x")] }, hi)).toEqual(["G3"]);
    expect(messages(hi, model(text("yes")))).toEqual([
      "Please ensure that multiturn requests ends with a user role or a function response.",
    ]);
    expect(rules(hi, model(call("a")))).toEqual(["G3", "G1"]);
  });

  it("[G4] on Gemini 3 the first call of each step of the current turn has its thought signature", () => {
    const signed = call("a", { thoughtSignature: "c2ln" });
    const three = (...contents: unknown[]) => checkGeminiRequest({ contents }, "gemini-3-pro-preview");
    const answered = user(response("a"));
    expect(three(hi, model(signed, call("b")), user(response("a"), response("b")))).toEqual([]);
    expect(three(hi, model(call("a")), answered, model(text("done")), hi)).toEqual([]);
    expect(check(hi, model(call("a")), answered)).toEqual([]);
    expect(three(hi, model(signed), answered, model(call("a")), answered)).toEqual([
      {
        rule: "G4",
        path: "contents[3]",
        message:
          "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:a` , position 4. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
      },
    ]);
    const late = model(call("b"), signed);
    expect(rulesOf(three(hi, late, user(response("b"), response("a"))))).toEqual(["G4"]);
  });

  it("[G5] names start with a letter or _ and are of [\\w.-]{1,64}", () => {
    const named = (name: string) => rules(hi, model(call(name)), user(response(name)));
    expect(named("_mcp.read-file")).toEqual([]);
    expect(named("n".repeat(64))).toEqual([]);
    expect(named("n".repeat(65))).toEqual(["G5"]);
    expect(named("1st")).toEqual(["G5"]);
    expect(named("a b")).toEqual(["G5"]);
    expect(named("")).toEqual(["G5"]);
    expect(check(hi, model(call("1st")), user(response("1st"))).map(({ path }) => path)).toEqual([
      "contents[1].parts[0].function_call.name",
      "contents[2].parts[0].function_response.name",
    ]);
    const tools = [{ functionDeclarations: [{ name: "-x" }] }];
    expect(checkGeminiRequest({ contents: [hi], tools }, "gemini-3")[0]?.path).toBe("tools[0].function_declarations[0].name");
  });

  it("no content, empty content or an empty part is an invalid request", () => {
    expect(rules()).toEqual(["shape"]);
    expect(checkGeminiRequest("hi", "gemini-3")[0]?.message).toBe("Invalid JSON payload received.");
    expect(messages(user())).toEqual(["* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.\n"]);
    expect(messages(user({ thought: true }))).toEqual([
      "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n",
    ]);
    expect(rules(user({ text: "x", inlineData: { mimeType: "image/png", data: "" } }))).toEqual(["shape"]);
  });
});
