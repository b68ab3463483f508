import type { MessageBody } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { collect, connect, type Provider, providers, startServer, toMessage } from "./testing/models.fixture.ts";
import { buildMessages } from "./testing/requests.fixture.ts";

const answer = (message: MessageBody): MessageBody[] =>
  message.role === "assistant"
    ? (message.toolCalls ?? []).map((call) => ({
        role: "tool",
        content: [{ type: "tool-result", toolCallId: call.id, toolName: call.function.name, input: {}, result: "ok" }],
      }))
    : [];

/** One model turn: reasoning, calls, results, answer. */
async function takeTurn(provider: Provider, server: { url: string; apiKey: string }, history: MessageBody[], said: string): Promise<void> {
  const model = await connect(provider, server);
  history.push({ role: "user", content: said });
  for (let step = 0; step < 2; step++) {
    const message = toMessage(model.id, await collect(model, { messages: buildMessages(history) ?? [] }));
    history.push(message, ...answer(message));
  }
}

const script = (_: unknown, n: number) =>
  n % 2 === 0
    ? {
        reasoning: `thought ${n}`,
        text: "let me see",
        toolCalls: [
          { name: "bash", arguments: { n } },
          { name: "bash", arguments: {} },
        ],
      }
    : { reasoning: `thought ${n}`, text: "done" };

/** Data that only its provider can read: signatures, encrypted and redacted reasoning. */
function secretsOf(history: readonly MessageBody[], modelId: string): string[] {
  const text = JSON.stringify(
    history.flatMap((message) => {
      if (message.role !== "assistant" || typeof message.content === "string") return [];
      const own = message.content.filter((part) => part.type === "reasoning" && part.model === modelId);
      return [...own, ...(message.toolCalls ?? []).map((call) => call.providerData ?? null)];
    }),
  );
  return [...text.matchAll(/"(?:signature|encryptedContent|thoughtSignature)":"([^"]+)"/g)].map((match) => match[1] ?? "");
}

const pairs = providers.flatMap((a) =>
  providers.filter((b) => b !== a && a.replaysReasoning).map((b) => ({ a, b, title: `${a.name} → ${b.name} → ${a.name}` })),
);

describe.each(pairs)("$title", ({ a, b }) => {
  test("[Q10] gives the first its reasoning back, and the second none of it", async () => {
    await using first = await startServer(a, { script });
    await using second = await startServer(b, { script });
    const history: MessageBody[] = [];
    await takeTurn(a, first, history, "one");
    const secrets = secretsOf(history, a.modelId);
    expect(secrets.length).toBeGreaterThan(1);
    await takeTurn(b, second, history, "two");
    await takeTurn(a, first, history, "three");
    expect(first.violations).toEqual([]);
    expect(second.violations).toEqual([]);
    const backToA = JSON.stringify(first.requests.at(-1)?.body);
    const toB = JSON.stringify(second.requests.map((request) => request.body));
    for (const secret of secrets) {
      expect(backToA).toContain(secret);
      expect(toB).not.toContain(secret);
    }
  });

  test("[A9] [G4] [S2] a tool loop that one model began continues with the other", async () => {
    await using first = await startServer(a, { script });
    await using second = await startServer(b, { script });
    const modelA = await connect(a, first);
    const history: MessageBody[] = [{ role: "user", content: "go" }];
    const called = toMessage(modelA.id, await collect(modelA, { messages: history }));
    history.push(called, ...answer(called));
    const modelB = await connect(b, second);
    const more = toMessage(modelB.id, await collect(modelB, { messages: history }));
    history.push(more, ...answer(more));
    await collect(modelA, { messages: history });
    expect([...first.violations, ...second.violations]).toEqual([]);
  });
});
