import { ModelError, type ModelEvent } from "@skein/engine";
import type { Reply } from "@skein/testkit/model-servers";
import { describe, expect, test } from "vitest";
import { collect, connect, providers, startServer } from "./testing/models.fixture.ts";

const reply: Reply = {
  reasoning: ["I think 👍", " so"],
  text: ["ä", " answer"],
  toolCalls: [
    { id: "call_1", name: "bash", arguments: { path: "a.ts", content: "x".repeat(20) }, fragments: 4 },
    { id: "call_2", name: "bash", arguments: { path: "b.ts" }, fragments: 2 },
  ],
};

const longest = 20_000;
const step = process.env.SKEIN_TEST_LONG === "1" ? 1 : 61;

/** Without values that the servers generate anew each time. */
function comparable(events: readonly ModelEvent[]): unknown[] {
  return events.map((event) => {
    const { signature: _signature, providerData: _data, usage: _usage, id: _id, ...rest } = event as Record<string, unknown>;
    return rest;
  });
}

describe.each(providers)("$name", (provider) => {
  test("[Q11] cut at any byte, a stream gives the clean answer or an error, never half a call", { timeout: 600_000 }, async () => {
    await using whole = await startServer(provider, { script: [reply] });
    const clean = comparable(await collect(await connect(provider, whole), {}));
    const outcomes = { clean: 0, cut: 0 };
    await using server = await startServer(provider, { script: (_, n) => ({ ...reply, cutAfterBytes: n * step }) });
    const model = await connect(provider, server);
    for (let offset = 0; offset < longest && outcomes.clean < 3; offset += step) {
      const events: ModelEvent[] = [];
      try {
        for await (const event of model.stream(
          { messages: [{ role: "user", content: "go" }], tools: [] },
          { signal: new AbortController().signal },
        )) {
          events.push(event);
        }
        expect(comparable(events)).toEqual(clean);
        outcomes.clean++;
      } catch (error) {
        expect(error).toBeInstanceOf(ModelError);
        expect(error).toMatchObject({ kind: "network" });
        const reported = comparable(events);
        expect(reported.at(-1)).not.toMatchObject({ type: "end" });
        for (const call of reported.filter((event) => (event as ModelEvent).type === "tool-call")) expect(clean).toContainEqual(call);
        outcomes.cut++;
      }
    }
    expect(outcomes.clean).toBeGreaterThan(0);
    expect(outcomes.cut).toBeGreaterThan(10);
  });
});
