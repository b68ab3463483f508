import type { Approval, InboxItem } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { keepChosen, toInboxEntries } from "./inbox-entries.ts";

const approval = (id: string, requestedAt: number) => ({ id, taskId: "tsk_1", attemptId: "att_1", requestedAt }) as unknown as Approval;
const item = (id: string, endedAt: number) =>
  ({ kind: "ended", id, taskId: "tsk_1", attemptId: "att_1", execution: { endedAt } }) as unknown as InboxItem;

describe("toInboxEntries", () => {
  it("puts questions, ended work and feedback into one list, the oldest first", () => {
    const feedback = { kind: "feedback", id: "att_1", taskId: "tsk_1", attemptId: "att_1", addedAt: 15 } as unknown as InboxItem;
    const entries = toInboxEntries([approval("apr_2", 20), approval("apr_1", 5)], [feedback, item("exe_1", 10)]);
    expect(entries.map(({ id, kind }) => [id, kind])).toEqual([
      ["apr_1", "approval"],
      ["exe_1", "ended"],
      ["att_1", "feedback"],
      ["apr_2", "approval"],
    ]);
  });
});

describe("keepChosen", () => {
  it.each([
    ["what is there stays chosen", ["a", "b"], ["a", "b"], "b", "b"],
    ["the next one follows what is gone", ["a", "c"], ["a", "b", "c"], "b", "c"],
    ["the last one, where none came after", ["a"], ["a", "b"], "b", "a"],
    ["several may go at once", ["a", "d"], ["a", "b", "c", "d"], "b", "d"],
    ["the first one, where none was chosen", ["a", "b"], [], null, "a"],
    ["nothing in an empty inbox", [], ["a"], "a", null],
  ])("%s", (_name, ids, before, chosen, expected) => expect(keepChosen(ids, before, chosen)).toBe(expected));
});
