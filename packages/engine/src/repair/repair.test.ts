import type { MessageBody } from "@skein/contracts";
import { anyHistory } from "@skein/testkit/histories";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checks } from "./api-checks.fixture.ts";
import { naive } from "./naive-messages.fixture.ts";
import { repair } from "./repair.ts";
import type { RepairProvider } from "./repair-provider.ts";

const wellFormed = (history: readonly MessageBody[]): MessageBody[] =>
  JSON.parse(JSON.stringify(history), (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
const anyMessages = anyHistory({ models: ["m"] }).map(wellFormed);
const isLong = process.env.SKEIN_TEST_LONG === "1";
const numRuns = isLong ? 100_000 : 500;
const timeout = isLong ? 10_800_000 : 60_000;
const providers = Object.keys(naive) as RepairProvider[];

describe.each(providers)("%s", (provider) => {
  const toMessages = (history: readonly MessageBody[]) => history.flatMap(naive[provider]);

  test("[M3] any history becomes one that the API accepts", { timeout }, () => {
    fc.assert(
      fc.property(anyMessages, (history) => {
        expect(checks[provider](repair(toMessages(history), { provider }).messages)).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("[M3] repairing twice changes nothing more, and what is valid is returned as it is", { timeout }, () => {
    fc.assert(
      fc.property(anyMessages, (history) => {
        const { messages } = repair(toMessages(history), { provider });
        const again = repair(messages, { provider });
        expect(again.changes).toEqual([]);
        expect(again.messages).toBe(messages);
      }),
      { numRuns },
    );
  });

  test("[M3] every change is reported, and messages without one are the same objects", { timeout }, () => {
    fc.assert(
      fc.property(anyMessages, (history) => {
        const messages = toMessages(history);
        const frozen = JSON.stringify(messages);
        const { messages: repaired, changes } = repair(messages, { provider });
        expect(JSON.stringify(messages)).toBe(frozen);
        if (changes.length === 0) expect(repaired).toBe(messages);
        else expect(repaired).not.toEqual(messages);
      }),
      { numRuns },
    );
  });
});
