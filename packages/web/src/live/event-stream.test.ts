import type { Delivery, Health } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import type { UnreadableError } from "../api/api-error.ts";
import * as schemas from "../api/wire-schemas.ts";
import { createEventStream } from "./event-stream.ts";
import type { ServerEventsHandlers } from "./open-server-events.ts";
import { parseStreamEvent, type StreamEvent } from "./parse-stream-event.ts";

class FakeSource {
  readonly url: string;
  closed = false;
  private readonly handlers: ServerEventsHandlers<StreamEvent>;
  constructor(url: string, handlers: ServerEventsHandlers<StreamEvent>) {
    this.url = url;
    this.handlers = handlers;
  }
  emit(type: string, { data = "", id }: { data?: string; id?: string } = {}): void {
    if (this.closed) return;
    if (type === "open") this.handlers.onOpen();
    else if (type === "end") this.handlers.onEnd();
    else {
      const event = parseStreamEvent(schemas, { type, data, id });
      if (event !== undefined) this.handlers.onEvent(event);
    }
  }
}

const randomNumber = { value: 0.5 };

function setUp({ after }: { after?: number } = {}) {
  const sources: FakeSource[] = [];
  const timers: { action: () => void; ms: number }[] = [];
  const reported = { gaps: 0, failures: 0, health: [] as (Health | null)[], unreadable: [] as UnreadableError[] };
  const stream = createEventStream({
    open: (url, handlers) => {
      const source = new FakeSource(url, handlers);
      sources.push(source);
      return () => {
        source.closed = true;
      };
    },
    setTimer: (action, ms) => {
      const timer = { action, ms };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    random: () => randomNumber.value,
    onGap: () => reported.gaps++,
    onHealth: (health) => reported.health.push(health),
    onFailure: () => reported.failures++,
    onUnreadable: (error) => reported.unreadable.push(error),
  });
  const received: Delivery[] = [];
  stream.subscribe((delivery) => received.push(delivery));
  stream.start(after);
  return {
    stream,
    sources,
    timers,
    reported,
    received,
    source: () => sources.at(-1) as FakeSource,
    fireTimer: () => timers[0]?.action(),
  };
}

const deleted = (projectId: string) => JSON.stringify({ type: "project:deleted", projectId });

describe("createEventStream", () => {
  it("[Q16] passes on the storage state that the server reports, and clears it with each new connection", () => {
    const { source, fireTimer, reported, received } = setUp();
    source().emit("open");
    const health: Health = { status: "degraded", version: "1", storage: "sqlite", problem: { cause: "disk-full", detail: "Full." } };
    source().emit("server:health", { data: JSON.stringify(health) });
    expect(reported.health).toEqual([null, health]);
    source().emit("end");
    fireTimer();
    source().emit("open");
    expect(reported.health).toEqual([null, health, null]);
    expect(received).toEqual([]);
  });

  it("[E6] starts after the last event that the page has, also when the first connection fails", () => {
    const { stream, source, fireTimer, reported } = setUp({ after: 7 });
    expect(source().url).toBe("/api/events?repeats=short&mergeMode=live&after=7");
    source().emit("end");
    fireTimer();
    source().emit("open");
    expect([source().url, reported.gaps]).toEqual(["/api/events?repeats=short&mergeMode=live&after=7", 0]);
    source().emit("project:deleted", { data: deleted("prj_1"), id: "9" });
    stream.stop();
    stream.start(7);
    expect(source().url).toBe("/api/events?repeats=short&mergeMode=live&after=9");
  });

  it("[E6] asks for everything after the last number it has when it connects again", () => {
    const { source, fireTimer, received } = setUp();
    source().emit("open");
    source().emit("project:deleted", { data: deleted("prj_1"), id: "41" });
    source().emit("project:deleted", { data: deleted("prj_2"), id: "44" });
    source().emit("end");
    fireTimer();
    expect(source().url).toBe("/api/events?repeats=short&mergeMode=live&after=44");
    expect(received.map((delivery) => delivery.seq)).toEqual([41, 44]);
  });

  it("[E7] an event without a number of its own is live", () => {
    const { source, received } = setUp();
    source().emit("open");
    source().emit("project:deleted", { data: deleted("prj_0") });
    source().emit("project:deleted", { data: deleted("prj_1"), id: "7" });
    source().emit("project:deleted", { data: deleted("prj_2") });
    expect(received.map((delivery) => delivery.seq)).toEqual([undefined, 7, undefined]);
  });

  it("[E6, Q12] a growing text is assembled from its additions, and requested whole when one does not fit", () => {
    const { source, sources, received, fireTimer } = setUp();
    const message = { id: "msg_1", role: "assistant", messageType: "text", timestamp: 1, metadata: { streaming: true } };
    const origin = { taskId: "tsk_1", attemptId: "att_1" };
    const grown = (from: number, append: string) => ({
      data: JSON.stringify({ ...origin, from, append, message: { ...message, revision: from + 1 } }),
    });
    source().emit("open");
    source().emit("message:added", {
      data: JSON.stringify({ type: "message:added", ...origin, message: { ...message, revision: 1, content: "one" } }),
      id: "4",
    });
    source().emit("message:grown", grown(1, " two"));
    source().emit("message:grown", grown(2, " three"));
    expect(received.map(({ event }) => event.type === "message:added" && event.message.content)).toEqual([
      "one",
      "one two",
      "one two three",
    ]);
    expect(received.at(-1)?.event).toEqual({
      type: "message:added",
      ...origin,
      message: { ...message, revision: 3, content: "one two three" },
    });
    source().emit("message:grown", grown(7, " lost"));
    fireTimer();
    expect([received.length, sources.length, source().url]).toEqual([3, 2, "/api/events?repeats=short&mergeMode=live&after=4"]);
  });

  it("[E6, E7] a message that was shown live is delivered again, with its number, when the server reports it as committed", () => {
    const { source, received, fireTimer } = setUp();
    const message = { id: "msg_1", role: "assistant", messageType: "text", content: "Hi", timestamp: 1 };
    const added = (revision: number) =>
      JSON.stringify({ type: "message:added", taskId: "tsk_1", attemptId: "att_1", message: { ...message, revision } });
    const committed = (revision: number, messageId = "msg_1") => ({
      data: JSON.stringify({ attemptId: "att_1", messageId, revision }),
      id: String(20 + revision),
    });
    const revisions = () => received.map(({ seq, event }) => [seq, event.type === "message:added" && event.message.revision]);
    source().emit("open");
    source().emit("message:added", { data: added(1) });
    source().emit("message:added", { data: added(2) });
    // the first state is committed while a newer one is shown
    source().emit("message:committed", committed(1));
    source().emit("message:committed", committed(2));
    // nothing is left of it, and nothing was ever shown of the other one
    source().emit("message:committed", committed(3));
    source().emit("message:committed", committed(4, "msg_other"));
    expect(revisions()).toEqual([
      [undefined, 1],
      [undefined, 2],
      [21, 2],
      [22, 2],
    ]);
    source().emit("end");
    fireTimer();
    expect(source().url).toBe("/api/events?repeats=short&mergeMode=live&after=24");
  });

  it("reports its state: live, reconnecting, offline, live again, and waits longer each time", () => {
    const { stream, source, timers, fireTimer, reported } = setUp();
    const seen = [stream.state.get()];
    stream.state.subscribe(() => seen.push(stream.state.get()));
    source().emit("open");
    const waits: number[] = [];
    for (let i = 0; i < 32; i++) {
      source().emit("end");
      waits.push(timers[0]?.ms ?? 0);
      fireTimer();
    }
    source().emit("open");
    expect(seen).toEqual(["connecting", "live", "reconnecting", "offline", "live"]);
    // a restarting server is found within a second of its start; one that stays away is tried less often
    expect(waits.slice(0, 5)).toEqual([250, 400, 650, 1000, 1000]);
    expect(waits.slice(-3)).toEqual([1000, 5000, 5000]);
    expect(reported.failures).toBe(32);
  });

  it("does not come back at the same moment as the other pages", () => {
    const { source, timers, fireTimer } = setUp();
    const waits = [0, 0.999].map((value) => {
      randomNumber.value = value;
      source().emit("open");
      source().emit("end");
      const { ms } = timers[0] ?? { ms: 0 };
      fireTimer();
      return ms;
    });
    randomNumber.value = 0.5;
    expect(waits).toEqual([188, 312]);
  });

  it("reports a gap when it opens again without a number to ask from", () => {
    const { source, fireTimer, reported } = setUp();
    source().emit("open");
    expect(reported.gaps).toBe(0);
    source().emit("end");
    fireTimer();
    source().emit("open");
    expect(reported.gaps).toBe(1);
  });

  it("is settled by the first failure too, and what loads before it opens is then a gap", async () => {
    const { stream, source, fireTimer, reported } = setUp();
    source().emit("end");
    await stream.settled;
    fireTimer();
    source().emit("open");
    expect(reported.gaps).toBe(1);
  });

  it("ignores events that only a newer server knows", () => {
    const { source, received, reported } = setUp();
    source().emit("open");
    source().emit("weather:changed", { data: "{}", id: "3" });
    expect([received, reported.failures, reported.unreadable]).toEqual([[], 0, []]);
  });

  it("skips an event that does not fit, names its field, and keeps reading", () => {
    const { source, received, reported } = setUp();
    source().emit("open");
    source().emit("project:deleted", { data: "{", id: "2" });
    source().emit("project:deleted", { data: JSON.stringify({ type: "project:deleted", projectId: 7 }), id: "3" });
    source().emit("message:grown", { data: JSON.stringify({ taskId: "tsk_1", attemptId: "att_1", from: 1, append: "x", message: null }) });
    source().emit("project:deleted", { data: deleted("prj_1"), id: "4" });
    expect(reported.unreadable.map(({ source, field }) => [source, field])).toEqual([
      ["project:deleted", ""],
      ["project:deleted", "projectId"],
      ["message:grown", "message"],
    ]);
    expect([received.map(({ seq }) => seq), reported.failures]).toEqual([[4], 0]);
  });

  it("started again after a stop, it resumes where it stopped", () => {
    const { stream, source, sources } = setUp();
    source().emit("open");
    source().emit("project:deleted", { data: deleted("prj_1"), id: "5" });
    stream.stop();
    expect([source().closed, stream.state.get()]).toEqual([true, "connecting"]);
    stream.start();
    stream.start();
    expect([sources.length, source().url]).toEqual([2, "/api/events?repeats=short&mergeMode=live&after=5"]);
  });

  it("retryNow connects at once, and only when it waits", () => {
    const { stream, sources, source } = setUp();
    stream.retryNow();
    expect(sources).toHaveLength(1);
    source().emit("end");
    stream.retryNow();
    stream.retryNow();
    expect(sources).toHaveLength(2);
  });
});
