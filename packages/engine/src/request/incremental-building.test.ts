import type { CompressionSummary, MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyCompression, type RequestMessage } from "./apply-compression.ts";
import { dropInvalidMessages } from "./drop-invalid-messages.ts";
import { fixToolPairs } from "./fix-tool-pairs.ts";
import { answers, anyHistory, calls, user, validHistory } from "./history.fixture.ts";
import { insertSystemPrompts } from "./insert-system-prompts.ts";
import { RequestMessageBuilder } from "./request-message-builder.ts";

type Edit =
  | { do: "append"; bodies: MessageBody[] }
  | { do: "remove"; at: number; count: number }
  | { do: "replace"; at: number; body: MessageBody }
  | { do: "insert"; at: number; bodies: MessageBody[] }
  | { do: "summarize"; from: number; count: number; start: number }
  | { do: "undo-summary" };

const bodies = fc.oneof(anyHistory, validHistory);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("append" as const), bodies }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), at: fc.nat(), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("insert" as const), at: fc.nat(), bodies }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("replace" as const),
      at: fc.nat(),
      body: fc.oneof(
        fc.constant(user),
        fc.constantFrom("a", "b").map((id) => calls(id)),
        fc.constantFrom("a", "b").map((id) => answers(id)),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("summarize" as const), from: fc.nat(), count: fc.nat(8), start: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("undo-summary" as const) }) },
);

interface Conversation {
  messages: RequestMessage[];
  summary: CompressionSummary | null;
}

function createEditor() {
  let serial = 0;
  const withIds = (list: readonly MessageBody[]): RequestMessage[] => list.map((body) => ({ id: ++serial, body }));
  return ({ messages, summary }: Conversation, one: Edit): Conversation => {
    const at = "at" in one ? one.at % (messages.length + 1) : 0;
    switch (one.do) {
      case "append":
        return { messages: [...messages, ...withIds(one.bodies)], summary };
      case "insert":
        return { messages: messages.toSpliced(at, 0, ...withIds(one.bodies)), summary };
      case "remove":
        return { messages: messages.toSpliced(at, one.count), summary };
      case "replace":
        return { messages: messages.map((message, i) => (i === at ? { id: message.id, body: one.body } : message)), summary };
      case "summarize": {
        const from = one.from % (messages.length + 1);
        const messageIds = messages.slice(from, from + one.count).map(({ id }) => id);
        return { messages, summary: { messageIds, startMessageId: one.start % 2 ? (messageIds[0] ?? 0) : one.start % 20, summary: "S" } };
      }
      case "undo-summary":
        return { messages, summary: null };
    }
  };
}

interface Built {
  messages: MessageBody[] | string;
  counts: number[];
  repairs: string[];
}

/** The five steps, one after the other, over the whole. */
function buildWhole({ messages, summary }: Conversation): Built {
  const compressed = applyCompression(messages, summary);
  const valid = dropInvalidMessages(compressed);
  const { messages: paired, repairs } = fixToolPairs(valid);
  const complete = insertSystemPrompts(paired, ["P"]);
  return {
    messages: complete,
    counts: [compressed.length, valid.length, paired.length, complete.length],
    repairs: repairs.map((repair) => JSON.stringify(repair)).toSorted(),
  };
}

/** Repairs are told part by part, so their order is not that of the whole. */
function createKeptBuilder() {
  let counts: number[] = [];
  let repairs: string[] = [];
  const builder = new RequestMessageBuilder({
    logger: {
      debug(line, details) {
        const count = /After .*: (\d+) messages/.exec(line)?.[1];
        if (count !== undefined) counts.push(Number(count));
        for (const list of Object.values(details ?? {})) repairs.push(...list.map((repair: object) => JSON.stringify(repair)));
      },
    },
  }).setSystemPrompts(["P"]);
  return {
    builder,
    build(): Built {
      [counts, repairs] = [[], []];
      return { messages: builder.build(), counts, repairs: repairs.toSorted() };
    },
  };
}

describe("a builder that is kept", () => {
  it("[R1][R4] builds and reports what the five steps do over the whole, after any edits", () => {
    fc.assert(
      fc.property(bodies, fc.array(edit, { minLength: 1, maxLength: 8 }), (start, edits) => {
        const kept = createKeptBuilder();
        const apply = createEditor();
        let conversation: Conversation = { messages: [], summary: null };
        for (const one of [{ do: "append", bodies: start } satisfies Edit, ...edits]) {
          const before = conversation;
          conversation = apply(conversation, one);
          if (one.do === "append" && one.bodies.length % 2 === 0)
            kept.builder.addMessages(conversation.messages.slice(before.messages.length));
          else kept.builder.setMessages(conversation.messages);
          kept.builder.setCompressionSummary(conversation.summary);
          expect(kept.build()).toEqual(buildWhole(conversation));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("[R1][R4] so it does where damage reaches from one end of a long history to the other", () => {
    fc.assert(
      fc.property(fc.array(bodies, { minLength: 100, maxLength: 120 }), fc.nat(), (parts, at) => {
        const kept = createKeptBuilder();
        const apply = createEditor();
        let conversation = apply({ messages: [], summary: null }, { do: "append", bodies: parts.flat() });
        const later: Edit[] = [
          { do: "append", bodies: [user, answers("a")] },
          { do: "remove", at, count: 1 },
        ];
        for (const one of later) {
          conversation = apply(conversation, one);
          kept.builder.setMessages(conversation.messages);
          expect(kept.build()).toEqual(buildWhole(conversation));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("[R4][Q9] one message at a time, each request begins with the one before, by identity", () => {
    fc.assert(
      fc.property(validHistory, (history) => {
        const builder = new RequestMessageBuilder();
        const messages = history.map((body, id) => ({ id, body }));
        let before: MessageBody[] = [];
        messages.forEach((_, i) => {
          const isOpen = history[i + 1]?.role === "tool";
          const built = builder.setMessages(messages.slice(0, i + 1)).build();
          if (isOpen) return; // a call that is not answered yet is answered for it: that answer gives way to the real one
          for (const [k, message] of before.entries()) expect(built[k]).toBe(message);
          before = built;
        });
        expect(before).toEqual(history);
      }),
    );
  });

  it("[R4] a request that was handed out does not change when the next one is built", () => {
    const builder = new RequestMessageBuilder();
    const messages: RequestMessage[] = [user, calls("a"), answers("a"), user].map((body, id) => ({ id, body }));
    const first = builder.setMessages(messages).build();
    const copy = [...first];
    messages.push({ id: 9, body: calls("b") }, { id: 10, body: answers("b") });
    first.length = 2;
    expect(builder.setMessages(messages).build()).toEqual([...copy, calls("b"), answers("b")]);
  });

  it("[R4] messages that were changed in the array it was given are seen", () => {
    const builder = new RequestMessageBuilder();
    const messages: RequestMessage[] = [user, user, user].map((body, id) => ({ id, body }));
    builder.setMessages(messages).build();
    const other: MessageBody = { role: "user", content: "other" };
    messages[0] = { id: 0, body: other };
    expect(builder.build()[0]).toBe(other);
  });
});
