import type { ConversationMessage } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { findDifference, findLost } from "../clients/compare-conversation.ts";
import { findSeqProblems, SeqSegments } from "../clients/seq-segments.ts";
import { SseFrames } from "../clients/sse-frames.ts";
import { checkRun, type StoredRun } from "./check-run.ts";
import type { Journal } from "./read-journal.ts";

// A check that finds nothing proves nothing unless it finds what is wrong: each of these breaks what the simulation compares.

const text = (id: string, content: string, changes: object = {}): ConversationMessage =>
  ({ id, role: "assistant", messageType: "text", content, timestamp: 1, revision: 1, ...changes }) as ConversationMessage;
const asked = text("user", "run=7 seed=1 lines=3 every=1", { role: "user" });
const part = (number: number): ConversationMessage => text(`msg_${number}`, `«7:${number}:100» words «/7:${number}»`);

describe("[W6] the simulation notices", () => {
  const journal: Journal = { starts: 1, parts: [0, 1, 2], isComplete: true };
  const good: StoredRun = { number: 7, status: "success", messages: [asked, part(0), part(1), part(2)], disturbed: new Set() };
  const problemsOf = (run: Partial<StoredRun>, told: Partial<Journal> = {}) =>
    checkRun({ ...good, ...run }, { ...journal, ...told }).map(([invariant]) => invariant);

  test("an execution that is not what its agent printed", () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ messages: [asked, part(0), part(2)] })).toEqual(["every line of an execution is stored once"]);
    expect(problemsOf({ messages: [asked, part(0), part(1), part(1), part(2)] })).toEqual(["every line of an execution is stored once"]);
    expect(problemsOf({ messages: [asked, part(0), part(1), part(2), part(3)] })).toEqual(["every line of an execution is stored once"]);
    expect(problemsOf({ messages: [asked, part(1), part(0), part(2)] })).toEqual(["messages are in the order in which they were printed"]);
    expect(problemsOf({ messages: [asked, part(0), part(1), text("msg_2", "«7:2:100» wor")] })).toEqual([
      "every line of an execution is stored once",
    ]);
    expect(problemsOf({ messages: [part(0), part(1), part(2)] })).toEqual(["every message of a user is stored once"]);
    expect(problemsOf({}, { starts: 2 })).toEqual(["no execution runs twice"]);
  });

  test("an end that no fault explains; a killed agent may only have lost the line that it was about to print", () => {
    const ends = "executions succeed unless a fault explains their end";
    expect(problemsOf({ status: "interrupted" })).toEqual([ends]);
    expect(problemsOf({ status: "failed" })).toEqual([ends]);
    expect(problemsOf({}, { isComplete: false })).toEqual([ends]);
    const killed = { status: "failed", disturbed: new Set(["agent-killed" as const]) };
    expect(problemsOf({ ...killed, messages: [asked, part(0), part(1)] }, { isComplete: false })).toEqual([]);
    expect(problemsOf({ ...killed, messages: [asked, part(0), part(2)] }, { isComplete: false })).toEqual([
      "every line of an execution is stored once",
    ]);
  });

  test("events that a client did not receive, or received twice, or that were skipped without a reason", () => {
    const numbers = Array.from({ length: 3000 }, (_, index) => index + 1);
    const receive = (received: readonly number[]): SeqSegments => {
      const client = new SeqSegments();
      client.jump(10);
      for (const seq of received) client.add(seq);
      return client;
    };
    const all = numbers.slice(10);
    expect(findSeqProblems(receive(all), numbers)).toEqual([]);
    expect(findSeqProblems(receive(all.filter((seq) => seq !== 1234)), numbers)).toHaveLength(1);
    expect(findSeqProblems(receive(all), [...numbers.slice(0, 600), 600.5, ...numbers.slice(600)])).toHaveLength(1);
    const client = receive([11, 12]);
    expect(client.add(12)).toBe(false);
    client.jump(500);
    expect(findSeqProblems(client, numbers)).toEqual(["jumped from 12 to 500 without the events in between"]);
  });

  test("a message that was shown and is gone, shorter, or another", () => {
    const shown = (message: ConversationMessage, isCommitted = true) => [{ message, isCommitted }];
    const options = { onlyCommitted: () => false };
    expect(findLost(shown(text("a", "Hel")), [text("a", "Hello", { revision: 2 })], options)).toEqual([]);
    expect(findLost(shown(text("a", "Hel")), [], options)).toHaveLength(1);
    expect(findLost(shown(text("a", "Hello", { revision: 2 })), [text("a", "Hel")], options)).toHaveLength(1);
    expect(findLost(shown(text("a", "Hel")), [text("a", "Other", { revision: 2 })], options)).toHaveLength(1);
    // not committed, and its machine is lost
    expect(findLost(shown(text("a", "Hel"), false), [], { onlyCommitted: () => true })).toEqual([]);
    const [one, two] = [text("a", "A"), text("b", "B")];
    expect(findDifference([two], [one, two])).toBeUndefined();
    expect(findDifference([two, one], [one, two])).toBeDefined();
    expect(findDifference([], [one])).toBeDefined();
  });

  test("frames that arrive in pieces", () => {
    const stream = 'retry: 1000\n: connected\n\nid: 7\n\nid: 8\nevent: a\ndata: {}\n\nevent: b\ndata: {"x":1}\n\n:\n\n';
    for (let cut = 0; cut <= stream.length; cut++) {
      const frames = new SseFrames();
      const read = [...frames.read(stream.slice(0, cut)), ...frames.read(stream.slice(cut))];
      expect(read).toEqual([
        { id: 7, event: undefined, data: "" },
        { id: 8, event: "a", data: "{}" },
        { id: undefined, event: "b", data: '{"x":1}' },
      ]);
    }
  });
});
