import { describe, expect, it } from "vitest";
import { anthropicBody, assistant, pngBase64, result, rulesOf, text, use, user } from "./bodies.fixture.ts";
import { checkAnthropicRequest } from "./check-anthropic-request.ts";
import type { Violation } from "./violation.ts";

const check = (messages: unknown[], rest?: Record<string, unknown>) => checkAnthropicRequest(anthropicBody(messages, rest));
const rules = (messages: unknown[], rest?: Record<string, unknown>) => rulesOf(check(messages, rest));
const messagesOf = (violations: Violation[]) => violations.map((violation) => violation.message);
const cached = (block: object) => ({ ...block, cache_control: { type: "ephemeral" } });

describe("[A8] blank text and cache breakpoints", () => {
  it("[A8] no text block is empty or blank, in messages, results and the system prompt", () => {
    expect(messagesOf(check([user([text("")])]))).toEqual(["messages: text content blocks must be non-empty"]);
    expect(messagesOf(check([user(" \n")]))).toEqual(["messages: text content blocks must contain non-whitespace text"]);
    expect(messagesOf(check([user("hi")], { system: [text("x"), text("")] }))).toEqual(["system: text content blocks must be non-empty"]);
    expect(rules([user("hi")], { system: "  " })).toEqual(["A8"]);
    expect(rules([user("")])).toEqual(["A8"]);
    expect(rules([user([])])).toEqual(["A8"]);
    const answered = (content: unknown) => [user("hi"), assistant([use("a")]), user([result("a", content)])];
    expect(rules(answered([text(" ")]))).toEqual(["A8"]);
    expect(rules(answered(""))).toEqual([]);
    expect(messagesOf(check([user("hi"), assistant([use("a")]), user([{ ...result("a", ""), is_error: true }])]))).toEqual([
      "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    ]);
  });

  it("[A8] no cache_control on a blank text or on thinking", () => {
    expect(messagesOf(check([user([cached(text(" "))])]))).toContain(
      "messages.0.content.0: cache_control cannot be set for empty text blocks",
    );
    const thinking = cached({ type: "thinking", thinking: "hm", signature: "s" });
    expect(messagesOf(check([user("hi"), assistant([thinking, text("yes")]), user("go")]))).toEqual([
      "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
    ]);
  });

  it("[A8] at most 4 cache_control over system, tools, messages and what is inside results", () => {
    const tools = [cached({ name: "read", input_schema: {} })];
    const system = [cached(text("be brief"))];
    const messages = (last: object) => [user([cached(text("hi"))]), assistant([use("a")]), user([cached(result("a", [last]))])];
    expect(check(messages(text("ok")), { tools, system })).toEqual([]);
    expect(messagesOf(check(messages(cached(text("ok"))), { tools, system }))).toEqual([
      "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ]);
  });
});

describe("[A9] thinking", () => {
  const thinking = { type: "thinking", thinking: "hm", signature: "c2ln" };
  const enabled = { max_tokens: 1025, thinking: { type: "enabled", budget_tokens: 1024 } };

  it("thinking has a budget the answer has room for", () => {
    expect(check([user("hi")], enabled)).toEqual([]);
    expect(messagesOf(check([user("hi")], { ...enabled, max_tokens: 1024 }))).toEqual([
      "`max_tokens` must be greater than `thinking.budget_tokens`.",
    ]);
    expect(rules([user("hi")], { ...enabled, thinking: { type: "enabled", budget_tokens: 1000 } })).toEqual(["shape"]);
    expect(rules([user("hi")], { ...enabled, thinking: { type: "enabled" } })).toEqual(["shape"]);
  });

  it("[A9] a thinking block has a signature", () => {
    expect(check([user("hi"), assistant([{ type: "thinking", thinking: "hm" }, text("yes")]), user("go")])).toEqual([
      {
        rule: "A9",
        path: "messages.1.content.0.thinking.signature",
        message: "messages.1.content.0.thinking.signature: Field required",
      },
    ]);
    expect(rules([user("hi"), assistant([{ ...thinking, signature: "" }, text("yes")]), user("go")])).toEqual(["A9"]);
    expect(rules([user("hi"), assistant([text("yes"), thinking]), user("go")])).toEqual(["A9"]);
  });

  it("[A9] with thinking enabled an open tool loop starts with thinking", () => {
    const open = (first: object[]) => [user("hi"), assistant([...first, use("a")]), user([result("a")])];
    expect(check(open([thinking]), enabled)).toEqual([]);
    expect(check(open([{ type: "redacted_thinking", data: "x" }]), enabled)).toEqual([]);
    expect(check([...open([thinking]), assistant([use("b")]), user([result("b")])], enabled)).toEqual([]);
    expect(check(open([]))).toEqual([]);
    expect(check(open([]), { thinking: { type: "adaptive" } })).toEqual([]);
    expect(check([...open([]), assistant("done"), user("next")], enabled)).toEqual([]);
    expect(messagesOf(check(open([]), enabled))[0]).toMatch(
      /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`\. When `thinking` is enabled/,
    );
    expect(rules(open([text("so")]), enabled)).toEqual(["A9"]);
  });
});

describe("[A11] images", () => {
  const image = (width: number, height = 10, data = pngBase64({ width, height })) => ({
    type: "image",
    source: { type: "base64", media_type: "image/png", data },
  });

  it("[A11] no image is above 8000 px, above 2000 px when there are more than 20", () => {
    expect(check([user([image(8000, 8000)])])).toEqual([]);
    expect(messagesOf(check([user([image(10, 8001)])]))).toEqual([
      "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    ]);
    const many = (width: number) => [user(Array.from({ length: 21 }, () => image(width)))];
    expect(check(many(2000))).toEqual([]);
    expect(messagesOf(check(many(2001)))[20]).toBe(
      "messages.0.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
    );
    expect(check([user("hi"), assistant([use("a")]), user([result("a", [image(9000)])])])[0]?.path).toBe(
      "messages.2.content.0.tool_result.content.0.image.source.base64",
    );
  });

  it("[A11] no image is above 5 MB, there are at most 100, and each has its declared type", () => {
    const big = Buffer.concat([Buffer.from(pngBase64({ width: 5, height: 5 }), "base64"), Buffer.alloc(4 * 1024 * 1024)]).toString(
      "base64",
    );
    expect(messagesOf(check([user([image(1, 1, big)])]))[0]).toMatch(/image exceeds 5 MB maximum: \d+ bytes > 5242880 bytes$/);
    expect(messagesOf(check([user(Array.from({ length: 101 }, () => image(10)))]))).toEqual([
      "Too much media: 0 document pages + 101 images > 100",
    ]);
    expect(messagesOf(check([user([image(1, 1, "AAAA")])]))).toEqual(["Could not process image"]);
    const wrong = { type: "image", source: { type: "base64", media_type: "image/jpeg", data: pngBase64({ width: 5, height: 5 }) } };
    expect(rules([user([wrong])])).toEqual(["A11"]);
  });

  it("[A11] an image that is not in the request is not measured", () => {
    const elsewhere = [{ type: "image", source: { type: "url", url: "https://example.com/a.png" } }];
    expect(check([user(elsewhere)])).toEqual([]);
  });

  it("[A11] a request is at most 32 MB", () => {
    expect(check([user("x".repeat(33 * 1024 * 1024))])).toEqual([
      { rule: "A11", path: "", message: "Request exceeds the maximum size", code: "request_too_large" },
    ]);
  });
});

describe("[A12] ids, names and surrogates", () => {
  it("[A12] ids are of [a-zA-Z0-9_-]{1,64}, names of {1,128}", () => {
    const call = (id: string, name = "read") => [user("hi"), assistant([use(id, name)]), user([result(id)])];
    expect(check(call("A-z_9".padEnd(64, "x"), "n".repeat(128)))).toEqual([]);
    expect(messagesOf(check(call("call:1")))).toEqual([
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
      "messages.2.content.0.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    ]);
    expect(rules(call("x".repeat(65)))).toEqual(["A12"]);
    expect(rules(call(""))).toEqual(["A12"]);
    expect(rules(call("a", "mcp.read"))).toEqual(["A12"]);
    expect(rules(call("a", "n".repeat(129)))).toEqual(["A12"]);
    expect(rules([user("hi")], { tools: [{ name: "a b", input_schema: {} }] })).toEqual(["A12"]);
    const twice = [{ name: "read" }, { name: "read" }];
    expect(messagesOf(check([user("hi")], { tools: twice }))).toEqual(["tools: Tool names must be unique."]);
  });

  it("[A12] no string of the request has half a surrogate pair", () => {
    expect(check([user("smile 😀")])).toEqual([]);
    const [violation] = check([user("smile \ud83d")]);
    expect(violation).toMatchObject({ rule: "A12", path: "messages.0.content" });
    expect(violation?.message).toMatch(/^The request body is not valid JSON: no low surrogate in string: line 1 column \d+ \(char \d+\)$/);
    expect(rules([user("hi"), assistant([{ ...use("a"), input: { deep: ["\ude00"] } }]), user([result("a")])])).toEqual(["A12"]);
    expect(rules([user("hi"), assistant([{ ...use("a"), input: { "\ud83d": 1 } }]), user([result("a")])])).toEqual(["A12"]);
  });
});
