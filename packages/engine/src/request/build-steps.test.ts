import type { MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyCompression, type RequestMessage } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { fixToolPairs } from "./fix-tool-pairs.ts";
import { answers, anyHistory, calls, user, validHistory } from "./history.fixture.ts";
import { insertSystemPrompts } from "./insert-system-prompts.ts";
import { RequestMessageBuilder, type RequestStep } from "./request-message-builder.ts";
import { validateMessages } from "./validate-messages.ts";

const toEntities = (bodies: readonly MessageBody[]): RequestMessage[] => bodies.map((body, id) => ({ id, body }));
const anySummary = fc.option(fc.record({ messageIds: fc.array(fc.nat(14)), startMessageId: fc.nat(14), summary: fc.constant("S") }));

describe("build()", () => {
  it("[R1][R7] returns and reports what the five exported steps do, one after the other", () => {
    fc.assert(
      fc.property(fc.oneof(anyHistory, validHistory), anySummary, (history, summary) => {
        const compressed = applyCompression(toEntities(history), summary);
        const valid = dropInvalidMessages(compressed);
        const { messages: paired, repairs } = fixToolPairs(valid);
        const request = insertSystemPrompts(paired, ["P"]);
        validateMessages(request);

        const steps: RequestStep[] = [];
        const builder = new RequestMessageBuilder({ onStep: (step) => steps.push(step) });
        const built = builder.setSystemPrompts(["P"]).setMessages(toEntities(history)).setCompressionSummary(summary).build();
        expect(built).toEqual(request);
        expect(steps).toEqual([
          { step: "compression", messages: compressed.length },
          { step: "filtering", messages: valid.length },
          { step: "tool-pairs", messages: paired.length, ...(repairs.length === 0 ? {} : { repairs }) },
          { step: "system-prompts", messages: request.length },
          { step: "validation", messages: request.length },
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it("[R1] can be called again after any change of its input", () => {
    const builder = new RequestMessageBuilder();
    const other: MessageBody = { role: "user", content: "other" };
    const messages = toEntities([user, user]);
    expect(builder.setMessages(messages).build()).toEqual([user, user]);
    messages[0] = { id: 0, body: other };
    expect(builder.build()).toEqual([other, user]);
    expect(builder.setSystemPrompts(["P"]).build()).toEqual([{ role: "system", content: "P" }, other, user]);
  });

  it("[R4] a request that was returned does not change when the next one is built", () => {
    const builder = new RequestMessageBuilder();
    const messages = toEntities([user, calls("a"), answers("a"), user]);
    const first = builder.setMessages(messages).build();
    const copy = [...first];
    messages.push({ id: 9, body: calls("b") }, { id: 10, body: answers("b") });
    first.length = 2;
    expect(builder.setMessages(messages).build()).toEqual([...copy, calls("b"), answers("b")]);
  });

  it("[R4][Q9] with each message that is added, the request begins with the previous one, by identity", () => {
    fc.assert(
      fc.property(validHistory, (history) => {
        const messages = toEntities(history);
        let before: MessageBody[] = [];
        messages.forEach((_, i) => {
          const isOpen = history[i + 1]?.role === "tool";
          const built = new RequestMessageBuilder().setMessages(messages.slice(0, i + 1)).build();
          if (isOpen) return; // the real result replaces the one that was added for an open call
          for (const [k, message] of before.entries()) expect(built[k]).toBe(message);
          before = built;
        });
        expect(before).toEqual(history);
      }),
    );
  });
});
