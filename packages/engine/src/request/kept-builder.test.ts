import type { CompressionSummary, MessageBody } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestMessage } from "./apply-compression.ts";
import { answers, anyHistory, calls, user, validHistory } from "./history.fixture.ts";
import { RequestMessageBuilder, type RequestStep } from "./request-message-builder.ts";

type Edit =
  | { do: "append"; bodies: MessageBody[] }
  | { do: "remove"; at: number; count: number }
  | { do: "replace"; at: number; body: MessageBody }
  | { do: "insert"; at: number; bodies: MessageBody[] }
  | { do: "summarize"; from: number; count: number; start: number }
  | { do: "undo-summary" }
  | { do: "set-prompts"; prompts: readonly string[] };

const bodies = fc.oneof(anyHistory, validHistory);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("append" as const), bodies }) },
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
  { weight: 2, arbitrary: fc.record({ do: fc.constant("summarize" as const), from: fc.nat(), count: fc.nat(8), start: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("undo-summary" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("set-prompts" as const), prompts: fc.constantFrom<string[][]>([], ["P"], ["P", "Q"]) }),
  },
);

interface Conversation {
  messages: RequestMessage[];
  summary: CompressionSummary | null;
  prompts: readonly string[];
}

function createEditor() {
  let serial = 0;
  const withIds = (list: readonly MessageBody[]): RequestMessage[] => list.map((body) => ({ id: ++serial, body }));
  return (conversation: Conversation, one: Edit): Conversation => {
    const { messages } = conversation;
    const at = "at" in one ? one.at % (messages.length + 1) : 0;
    switch (one.do) {
      case "append":
        return { ...conversation, messages: [...messages, ...withIds(one.bodies)] };
      case "insert":
        return { ...conversation, messages: messages.toSpliced(at, 0, ...withIds(one.bodies)) };
      case "remove":
        return { ...conversation, messages: messages.toSpliced(at, one.count) };
      case "replace":
        return { ...conversation, messages: messages.map((message, i) => (i === at ? { id: message.id, body: one.body } : message)) };
      case "summarize": {
        const from = one.from % (messages.length + 1);
        const messageIds = messages.slice(from, from + one.count).map(({ id }) => id);
        // also ids of messages that come later, or never
        const startMessageId = one.start % 2 === 0 ? (messageIds[0] ?? 0) : serial + (one.start % 8);
        return { ...conversation, summary: { messageIds: [...messageIds, serial + 2], startMessageId, summary: "S" } };
      }
      case "undo-summary":
        return { ...conversation, summary: null };
      case "set-prompts":
        return { ...conversation, prompts: [...one.prompts] };
    }
  };
}

function createBuilder() {
  let steps: RequestStep[] = [];
  const builder = new RequestMessageBuilder({ onStep: (step) => steps.push(step) });
  return ({ messages, summary, prompts }: Conversation) => {
    steps = [];
    try {
      const built = builder.setSystemPrompts(prompts).setMessages(messages).setCompressionSummary(summary).build();
      return { built, steps };
    } catch (error) {
      return { error, steps };
    }
  };
}

const empty: Conversation = { messages: [], summary: null, prompts: ["P"] };

describe("a reused builder", () => {
  it("[R1][R4][R7] builds and reports what a new builder does, after any edits", () => {
    fc.assert(
      fc.property(bodies, fc.array(edit, { minLength: 1, maxLength: 8 }), (start, edits) => {
        const buildKept = createBuilder();
        const apply = createEditor();
        let conversation = empty;
        for (const one of [{ do: "append", bodies: start } satisfies Edit, ...edits]) {
          conversation = apply(conversation, one);
          expect(buildKept(conversation)).toEqual(createBuilder()(conversation));
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("[R4][Q9] continues a history that was repaired, and repairs it again when a late result arrives", () => {
    const buildKept = createBuilder();
    const apply = createEditor();
    let conversation = empty;
    for (const bodies of [
      [user, calls("a"), user],
      [calls("b"), answers("b")],
      [user, answers("a")],
      [calls("a"), answers("a")],
    ]) {
      conversation = apply(conversation, { do: "append", bodies });
      expect(buildKept(conversation)).toEqual(createBuilder()(conversation));
    }
  });

  it("[R1] processes only the new messages", () => {
    const reads = { count: 0 };
    const watched = (body: MessageBody) =>
      new Proxy(body, {
        get(target, field, receiver) {
          reads.count += 1;
          return Reflect.get(target, field, receiver);
        },
      });
    const history = Array.from({ length: 500 }, (_, turn) => [user, calls(`${turn}`), answers(`${turn}`)]).flat();
    const messages: RequestMessage[] = history.map((body, id) => ({ id, body: watched(body) }));
    const builder = new RequestMessageBuilder().setSystemPrompts(["P"]).setMessages(messages);
    builder.build();
    expect(reads.count).toBeGreaterThan(history.length);
    reads.count = 0;
    messages.push({ id: "new", body: watched(user) });
    expect(builder.build()).toHaveLength(history.length + 2);
    expect(reads.count).toBeLessThan(20);
  });
});
