import type { ConversationPage, ConversationState, Delivery } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDeliveries } from "./apply-deliveries.ts";
import { applyPage } from "./apply-page.ts";
import type { ConversationView } from "./conversation-view.ts";
import { createConversationView } from "./conversation-view.ts";
import { ServerModel, type Step, taskId } from "./server-model.fixture.ts";

const applyDelivery = (view: ConversationView, delivery: Delivery) => applyDeliveries(view, [delivery]);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("add-message" as const), live: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("update-message" as const, "merge" as const), pick: fc.nat(20), live: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("activate" as const), pick: fc.nat(5), live: fc.constant(false) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "start",
        "complete",
        "request-approval",
        "resolve-approval",
        "queue",
        "other-task",
        "create-attempt",
        "sync",
        "stale",
      ),
    }) as fc.Arbitrary<Step>,
  },
);
const steps = fc.array(step, { maxLength: 40, size: "max" }).map((rest): Step[] => [{ do: "create-attempt" }, ...rest]);

function toState({ lastSeq: _, hasMore: __, ...state }: ConversationPage): ConversationState {
  return state;
}

describe("folding events", () => {
  it("[Q12][E7] equals loading the state whole, at every prefix, with duplicates and with the page at any moment", () => {
    fc.assert(
      fc.property(steps, fc.nat(45), fc.nat(10), fc.array(fc.nat(1000), { maxLength: 60 }), (all, readAt, travels, repeats) => {
        const server = new ServerModel();
        let view = createConversationView({ taskId });
        let sent = 0;
        let page: ConversationPage | undefined;
        let dueAt = 0;
        all.forEach((one, i) => {
          server.do(one);
          // Switching to another attempt needs a page, like the first load; it is read now and arrives later.
          if (page === undefined && view.phase === "loading" && i >= Math.min(readAt, all.length - 1)) {
            page = server.page();
            dueAt = i + travels;
          }
          view = applyDeliveries(view, server.deliveries.slice(sent));
          sent = server.deliveries.length;
          const repeated = server.deliveries[(repeats[i] ?? 0) % Math.max(1, sent)];
          if (repeated !== undefined && repeats[i] !== undefined) view = applyDelivery(view, server.again(repeated));
          if (page !== undefined && i >= dueAt) {
            view = applyPage(view, page);
            page = undefined;
          }
          if (view.phase === "ready") expect(view.state).toEqual(toState(server.page()));
        });
        if (view.phase === "loading") view = applyPage(view, server.page());
        expect(view.phase).toBe("ready");
        expect(view.state).toEqual(toState(server.page()));
      }),
      { numRuns: 1000 },
    );
  });

  it("[Q12] one by one equals all at once", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const server = new ServerModel();
        const start = applyPage(createConversationView({ taskId }), server.page());
        for (const one of all) server.do(one);
        let single = start;
        for (const delivery of server.deliveries) single = applyDelivery(single, delivery);
        expect(applyDeliveries(start, server.deliveries).state).toEqual(single.state);
      }),
      { numRuns: 300 },
    );
  });
});
