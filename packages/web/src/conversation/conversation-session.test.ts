import type { AttemptId, ConversationMessage, ConversationPage, Delivery, SkeinEvent, TaskId } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { openConversation, type SessionPorts } from "./conversation-session.ts";

const taskId = "tsk_1" as TaskId;
const attemptId = "att_1" as AttemptId;
const text = (id: string, content: string, changes: object = {}) =>
  ({ id, role: "assistant", messageType: "text", content, timestamp: Number(id.slice(1)), revision: 1, ...changes }) as ConversationMessage;
const added = (message: ConversationMessage) => ({ type: "message:added", taskId, attemptId, message }) as SkeinEvent;
const page = (changes: Partial<ConversationPage>): ConversationPage => ({
  messages: [],
  isExecuting: false,
  canSendMessage: true,
  attemptId,
  queue: [],
  queuePause: null,
  approvals: [],
  lastSeq: 10,
  hasMore: false,
  ...changes,
});

function setUp(overrides: Partial<SessionPorts> & { page?: ConversationPage } = {}) {
  const requests: { query: object; answer: PromiseWithResolvers<ConversationPage> }[] = [];
  const asked = new Map<number, PromiseWithResolvers<void>>();
  const askedFor = (count: number) => {
    const known = asked.get(count) ?? Promise.withResolvers<void>();
    asked.set(count, known);
    return known;
  };
  let listener: (delivery: Delivery) => void = () => {};
  const sent: { id: string; message: string }[] = [];
  let id = 0;
  const { page: firstPage, ...ports } = overrides;
  const session = openConversation(
    { taskId, page: firstPage },
    {
      subscribe: (listen) => {
        listener = listen;
        return () => {};
      },
      streamSettled: Promise.resolve(),
      createBatch: (apply) => ({ add: (delivery) => apply([delivery]), flush: () => {}, cancel: () => {} }),
      loadPage: (query) => {
        const answer = Promise.withResolvers<ConversationPage>();
        requests.push({ query, answer });
        askedFor(requests.length).resolve();
        return answer.promise;
      },
      send: async (command) => {
        sent.push(command);
        return {};
      },
      createCommandId: () => `cmd_${++id}`,
      schedule: () => {},
      ...ports,
    },
  );
  const changed = (until: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!until()) return;
        stop();
        resolve();
      };
      const stop = session.snapshot.subscribe(check);
      check();
    });
  const contents = () => session.snapshot.get().view.state.messages.map((message) => message.content);
  return {
    session,
    requests,
    sent,
    deliver: (delivery: Delivery) => listener(delivery),
    asked: (count: number) => askedFor(count).promise,
    ready: () => changed(() => session.snapshot.get().view.phase === "ready"),
    contents,
    changed,
  };
}

describe("openConversation", () => {
  it("[E7] shows a page that is known at once, without a request, and what is delivered after it", () => {
    const never = new Promise<void>(() => {});
    const { requests, contents, deliver } = setUp({ page: page({ messages: [text("m1", "known")] }), streamSettled: never });
    expect([contents(), requests]).toEqual([["known"], []]);
    deliver({ seq: 11, event: added(text("m2", "new")) });
    expect(contents()).toEqual(["known", "new"]);
  });

  it("[E7] subscribes before it loads, and applies events that arrived meanwhile after the page", async () => {
    const settled = Promise.withResolvers<void>();
    const { requests, deliver, asked, ready, contents } = setUp({ streamSettled: settled.promise });
    deliver({ seq: 11, event: added(text("m2", "came early")) });
    expect(requests).toHaveLength(0);
    settled.resolve();
    await asked(1);
    deliver({ seq: 12, event: added(text("m3", "came while loading")) });
    requests[0]?.answer.resolve(page({ messages: [text("m1", "in the page")] }));
    await ready();
    expect(contents()).toEqual(["in the page", "came early", "came while loading"]);
  });

  it("[E7] what was shown live and is committed unchanged is not drawn again, and its number counts", async () => {
    const { session, requests, deliver, asked, contents } = setUp();
    await asked(1);
    requests[0]?.answer.resolve(page({ messages: [], lastSeq: 5 }));
    await session.reload();
    let drawn = 0;
    session.snapshot.subscribe(() => drawn++);
    deliver({ event: added(text("m1", "shown")) });
    expect(drawn).toBe(1);
    deliver({ seq: 6, event: added(text("m1", "shown")) });
    deliver({ seq: 7, event: { type: "message:added", taskId: "tsk_2" as TaskId, attemptId, message: text("m2", "of another") } });
    expect([drawn, contents()]).toEqual([1, ["shown"]]);
    const reloaded = session.reload();
    await asked(2);
    // a page from before the commit has nothing new
    requests[1]?.answer.resolve(page({ messages: [], lastSeq: 5 }));
    await reloaded;
    expect(contents()).toEqual(["shown"]);
  });

  it("loads older pages before the first message, one at a time", async () => {
    const { session, requests, asked, ready, contents } = setUp();
    await asked(1);
    requests[0]?.answer.resolve(page({ messages: [text("m5", "new")], hasMore: true }));
    await ready();
    const loading = session.loadOlder();
    void session.loadOlder();
    expect(requests.map(({ query }) => query)).toEqual([
      { taskId, attemptId: undefined },
      { taskId, attemptId, before: "m5" },
    ]);
    requests[1]?.answer.resolve(page({ messages: [text("m4", "old")] }));
    await loading;
    expect(contents()).toEqual(["old", "new"]);
    await session.loadOlder();
    expect(requests).toHaveLength(2);
  });

  it("[E7] an older page that comes when another part is shown is not put before it", async () => {
    const { session, requests, asked, ready } = setUp();
    await asked(1);
    requests[0]?.answer.resolve(page({ messages: [text("m9", "9")], hasMore: true }));
    await ready();
    const older = session.loadOlder();
    const around = session.showAround("m3");
    await asked(3);
    requests[2]?.answer.resolve(page({ messages: [text("m3", "3")], hasMore: true, hasNewer: true }));
    await around;
    requests[1]?.answer.resolve(page({ messages: [text("m8", "8")], hasMore: true }));
    await older;
    expect(session.snapshot.get().window?.messages.map(({ id }) => id)).toEqual(["m3"]);
  });

  it("[E7] holds a bounded part of a long conversation, wherever it is read, and finds the way back to its end", async () => {
    const all = Array.from({ length: 5000 }, (_, i) => text(`m${i}`, String(i)));
    const place = (id: string) => all.findIndex((message) => message.id === id);
    const { session, ready } = setUp({
      async loadPage({ before, from }) {
        const end = before === undefined ? all.length : place(before);
        if (from !== undefined) return page({ messages: all.slice(place(from), place(from) + 100), hasMore: true });
        return page({ messages: all.slice(Math.max(0, end - 100), end), hasMore: end > 100 });
      },
    });
    const held = () => {
      const { window, view } = session.snapshot.get();
      return { shown: (window ?? view.state).messages, total: (window?.messages.length ?? 0) + view.state.messages.length };
    };
    await ready();
    let most = 0;
    for (let first = ""; held().shown[0]?.id !== first; most = Math.max(most, held().total)) {
      first = held().shown[0]?.id ?? "";
      await session.loadOlder();
    }
    expect(held().shown[0]?.id).toBe("m0");
    for (let last = ""; held().shown.at(-1)?.id !== last; most = Math.max(most, held().total)) {
      last = held().shown.at(-1)?.id ?? "";
      await session.loadNewer();
    }
    expect(session.snapshot.get().window).toBeNull();
    expect(held().shown.at(-1)?.id).toBe("m4999");
    expect(most).toBeLessThan(1500);
    session.letGoOfOlder();
    expect(held().total).toBeLessThan(700);
    expect(held().shown.map(({ id }) => place(id))).toEqual(Array.from(held().shown, (_, i) => 5000 - held().total + i));
    expect(session.snapshot.get().view.hasMore).toBe(true);
  });

  it("[E7] shows a part far above the newest messages, and joins it to them where they meet", async () => {
    const { session, requests, asked, ready, deliver } = setUp();
    const shown = () => {
      const { window, view } = session.snapshot.get();
      return [window !== null, (window ?? view.state).messages.map(({ id }) => id).join(" ")];
    };
    const numbered = (...numbers: number[]) => numbers.map((number) => text(`m${number}`, String(number)));
    await asked(1);
    requests[0]?.answer.resolve(page({ messages: numbered(8, 9), hasMore: true }));
    await ready();
    await session.showAround("m9");
    expect([requests.length, shown()]).toEqual([1, [false, "m8 m9"]]);

    const around = session.showAround("m3");
    await asked(2);
    requests[1]?.answer.resolve(page({ messages: numbered(2, 3, 4), hasMore: true, hasNewer: true }));
    await around;
    expect(shown()).toEqual([true, "m2 m3 m4"]);
    deliver({ seq: 11, event: added(text("m10", "10")) });
    expect(shown()).toEqual([true, "m2 m3 m4"]);

    const older = session.loadOlder();
    requests[2]?.answer.resolve(page({ messages: numbered(1), hasMore: false }));
    await older;
    const newer = session.loadNewer();
    requests[3]?.answer.resolve(page({ messages: numbered(4, 5, 6), hasNewer: true }));
    await newer;
    expect(shown()).toEqual([true, "m1 m2 m3 m4 m5 m6"]);
    const last = session.loadNewer();
    requests[4]?.answer.resolve(page({ messages: numbered(6, 7, 8), hasNewer: true }));
    await last;
    expect(shown()).toEqual([false, "m1 m2 m3 m4 m5 m6 m7 m8 m9 m10"]);
    expect(session.snapshot.get().view.hasMore).toBe(false);
    expect(requests.slice(1).map(({ query }) => query)).toEqual([
      { taskId, attemptId, around: "m3" },
      { taskId, attemptId, before: "m2" },
      { taskId, attemptId, from: "m4" },
      { taskId, attemptId, from: "m6" },
    ]);
  });

  it("returns to the newest messages on request, or when something is sent", async () => {
    const { session, requests, asked, ready } = setUp();
    await asked(1);
    requests[0]?.answer.resolve(page({ messages: [text("m9", "9")], hasMore: true }));
    await ready();
    for (const [count, leave] of [session.showNewest, () => session.sendMessage("now")].entries()) {
      const around = session.showAround("m3");
      await asked(count + 2);
      requests[count + 1]?.answer.resolve(page({ messages: [text("m3", "3")], hasMore: true, hasNewer: true }));
      await around;
      expect(session.snapshot.get().window).not.toBeNull();
      void leave();
      expect(session.snapshot.get().window).toBeNull();
    }
  });

  it("reports why loading failed, and loads on retry", async () => {
    const { session, requests, asked, ready, contents, changed } = setUp();
    await asked(1);
    requests[0]?.answer.reject(new Error("down"));
    await changed(() => session.snapshot.get().error !== null);
    void session.reload();
    await asked(2);
    requests[1]?.answer.resolve(page({ messages: [text("m1", "here")] }));
    await ready();
    expect([contents(), session.snapshot.get().error]).toEqual([["here"], null]);
  });

  it("[E2] a message that could not be sent is tried again with the same id", async () => {
    const tries: object[] = [];
    const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
    const { session } = setUp({
      send: async (command) => {
        tries.push(command);
        if (tries.length === 1) throw new Error("cut");
        return { queued: "que_1" as never };
      },
    });
    await session.sendMessage("do it", [image], { steer: true });
    expect(session.snapshot.get().outgoing).toMatchObject([{ text: "do it", state: { kind: "failed" } }]);
    await session.retry("cmd_1");
    const command = { id: "cmd_1", message: "do it", images: [image], steer: true };
    expect(tries).toEqual([command, command]);
    expect(session.snapshot.get().outgoing).toEqual([]);
  });

  it("[Q16] what the server cannot store is given back on request, and otherwise kept for a retry", async () => {
    const detail = "The disk is full.";
    const problem = { type: "about:blank", title: "Service Unavailable", status: 503, code: "storage-unavailable", detail } as const;
    const { session } = setUp({ send: () => Promise.reject(new ApiError({ ...problem, cause: "disk-full" })) });
    await expect(session.sendMessage("from the composer", [], { takesBackUnstored: true })).rejects.toThrow(detail);
    expect(session.snapshot.get().outgoing).toEqual([]);
    await session.sendMessage("from a button");
    expect(session.snapshot.get().outgoing).toMatchObject([{ text: "from a button", state: { kind: "failed" } }]);
  });

  it("shows a sent message until the conversation holds it", async () => {
    const executionId = "exe_1" as never;
    const { session, requests, asked, ready, deliver } = setUp({ send: async () => ({ executionId }) });
    await asked(1);
    requests[0]?.answer.resolve(page({}));
    await ready();
    await session.sendMessage("do it");
    expect(session.snapshot.get().outgoing).toHaveLength(1);
    deliver({ seq: 11, event: added(text("m1", "do it", { role: "user", metadata: { executionId } })) });
    expect(session.snapshot.get().outgoing).toEqual([]);
  });

  it("a message that waits for the network is not overtaken by the next one", async () => {
    const first = Promise.withResolvers<object>();
    const started: string[] = [];
    const { session } = setUp({
      send: ({ message }) => {
        started.push(message);
        return message === "one" ? first.promise : Promise.resolve({});
      },
    });
    const one = session.sendMessage("one");
    const two = session.sendMessage("two");
    await Promise.resolve();
    expect(started).toEqual(["one"]);
    first.reject(new Error("cut"));
    await Promise.all([one, two]);
    expect(started).toEqual(["one", "two"]);
  });
});
