import type { TaskActivity } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ActivityModel, type ActivityStep } from "./activity-model.fixture.ts";
import { applyEventToActivity } from "./apply-event-to-activity.ts";

const kinds = [
  "create",
  "activate",
  "start",
  "wait",
  "complete",
  "tool",
  "tool",
  "tool",
  "tool-end",
  "ask",
  "answer",
  "queue",
  "pull-request",
] as const;
const steps: fc.Arbitrary<ActivityStep[]> = fc.array(fc.record({ do: fc.constantFrom(...kinds), pick: fc.nat(20) }), {
  maxLength: 40,
  size: "max",
});

function newModel(...did: ActivityStep["do"][]): ActivityModel {
  const model = new ActivityModel();
  for (const what of did) model.do({ do: what, pick: 0 });
  return model;
}

describe("the activity of a task", () => {
  it("[Q12] folding events equals loading it whole, at every moment, with repeated events", () => {
    fc.assert(
      fc.property(steps, fc.nat(40), (all, loadedAt) => {
        const model = newModel("create");
        let activity: TaskActivity | undefined;
        all.forEach((step, i) => {
          const sent = model.deliveries.length;
          model.do(step);
          if (activity === undefined && i >= loadedAt % all.length) activity = model.load();
          // events that arrived while it was loaded are applied after it
          for (const delivery of model.deliveries.slice(sent)) activity = activity && applyEventToActivity(activity, delivery);
          const repeated = model.deliveries.findLast(({ seq }) => seq !== undefined);
          if (activity !== undefined && repeated !== undefined) activity = applyEventToActivity(activity, repeated);
          if (i >= loadedAt % all.length) expect(activity).toEqual(model.load());
        });
      }),
      { numRuns: 1000 },
    );
  });

  it("has what runs, what waits and what it has cost", () => {
    const model = newModel("create", "start", "tool", "ask");
    expect(model.load()).toMatchObject({ executing: true, runningTool: "Running 3", pendingApprovals: 1, queued: 0 });
  });

  it("a card that arrives after its execution has ended does not run", () => {
    const model = newModel("create", "start", "tool", "complete");
    const late = model.deliveries.find(({ event }) => event.type === "message:added");
    const activity = late && applyEventToActivity(model.load(), { event: late.event });
    expect(activity).toEqual(model.load());
    expect(activity?.executing).toBe(false);
  });

  it("[E6] after a gap in the events it is loaded again", () => {
    const model = newModel("create");
    const state = { messages: [], isExecuting: false, canSendMessage: true, attemptId: null, queue: [], queuePause: null, approvals: [] };
    const taskId = model.deliveries.flatMap(({ event }) => ("taskId" in event ? [event.taskId] : []))[0];
    if (taskId === undefined) throw new Error("nothing was reported");
    expect(applyEventToActivity(model.load(), { seq: 9, event: { type: "state:conversation-sync", taskId, state } })).toBeUndefined();
  });
});
