import type { MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import { createTokenCounter } from "./token-counter.ts";

const anyText = fc.string({ unit: "binary", maxLength: 60 });
const said = (content: string): MessageBody => ({ role: "assistant", content });

describe("token counts of text", () => {
  it("[R10] an estimate never falls when text is appended, wherever a pair is cut", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (let end = 1; end <= text.length; end++) {
          expect(estimateTokens(text.slice(0, end))).toBeGreaterThanOrEqual(estimateTokens(text.slice(0, end - 1)));
        }
      }),
    );
  });

  it("[Q17] no text makes the estimate fail: control tokens, lone surrogates, words without an end", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("<|endoftext|> <|im_start|>")).toBeGreaterThan(2);
    expect(estimateTokens("😀\ud83d")).toBeGreaterThan(0);
    expect(estimateTokens("a".repeat(100_000))).toBeGreaterThan(1000);
  });

  it("[R10] the estimate is close to a tokenizer's count, and rather above it", () => {
    const samples = [
      "The cause is in line 40: the value is read before it is written. I will change that file and run the tests again.",
      "export function takeStart(text: string, maxLength: number): string {\n  if (text.length <= maxLength) return text;\n  return text.slice(0, end);\n}",
      '{"path":"src/module-12.ts","pattern":"export function","limit":200,"recursive":true}',
      "用户执行了 ls 命令，查看了目录内容，然后修改了三个文件。",
      "Пользователь попросил исправить ошибку в модуле и запустить тесты.",
    ];
    for (const sample of samples) {
      expect(estimateTokens(sample) / countTokens(sample)).toBeGreaterThan(0.85);
      expect(estimateTokens(sample) / countTokens(sample)).toBeLessThan(2.5);
    }
  });
});

describe("message counts", () => {
  it("[R10] counts all that is sent: text, calls, results, reasoning; not what is only shown", () => {
    const counter = createTokenCounter({ model: "m", countText: (text) => text.length });
    expect(counter.count(said("abc"))).toBe(4 + 3);
    expect(counter.count({ role: "assistant", content: "abc", segments: [{ type: "text", text: "abc" }] })).toBe(4 + 3);
    expect(
      counter.count({ ...said(""), toolCalls: [{ id: "a", type: "function", function: { name: "ls", arguments: "{}" } }] } as MessageBody),
    ).toBe(4 + 8 + 4);
    expect(
      counter.count({ role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "ls", input: {}, result: "12345" }] }),
    ).toBe(4 + 8 + 5);
    expect(counter.count({ role: "assistant", content: [{ type: "reasoning", text: "hm", signature: "s" }] })).toBe(4 + 2);
  });

  it("[R10] counts a message once", () => {
    let reads = 0;
    const counter = createTokenCounter({ model: "m", countText: (text) => ++reads && text.length });
    const message = said("abc");
    expect(counter.count(message)).toBe(counter.count(message));
    expect(counter.countAll([message, message])).toBe(14);
    expect(reads).toBe(1);
  });
});

describe("calibration", () => {
  const large = said("x".repeat(1000));

  it("[R10] approaches the provider's count", () => {
    const counter = createTokenCounter({ model: "m", countText: (text) => text.length });
    for (let i = 0; i < 20; i++) counter.calibrate({ counted: counter.count(large), reported: 1300 });
    expect(counter.count(large)).toBeGreaterThanOrEqual(1290);
    expect(counter.count(large)).toBeLessThanOrEqual(1310);
  });

  it("[R10] no single report moves it far, out of bounds, or to an invalid value", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ counted: fc.double(), reported: fc.double() })), (reports) => {
        const counter = createTokenCounter({ model: "m" });
        for (const report of reports) {
          const before = counter.ratio;
          counter.calibrate(report);
          expect(counter.ratio).toBeGreaterThanOrEqual(0.5);
          expect(counter.ratio).toBeLessThanOrEqual(3);
          expect(Math.abs(counter.ratio - before)).toBeLessThanOrEqual(0.75);
        }
      }),
    );
  });

  it("[R10] a request that is too small changes nothing", () => {
    const counter = createTokenCounter({ model: "m" });
    counter.calibrate({ counted: 10, reported: 5000 });
    expect(counter.ratio).toBe(1);
  });
});
