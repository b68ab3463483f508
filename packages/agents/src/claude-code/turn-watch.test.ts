import type { JsonValue } from "@skein/contracts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TurnWatch } from "./turn-watch.ts";

const begin = { type: "system", subtype: "init" };
const result = { type: "result", subtype: "success" };
const tasks = (...list: [id: string, type: string][]) => ({
  type: "system",
  subtype: "background_tasks_changed",
  tasks: list.map(([task_id, task_type]) => ({ task_id, task_type, description: `work ${task_id}` })),
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watch() {
  const over: { isWorking: boolean }[] = [];
  const waiting: (readonly string[])[] = [];
  const unread = new Set<string>();
  const turns = new TurnWatch({
    hasUnread: () => unread.size > 0,
    onOver: (end) => over.push(end),
    onWaiting: (commands) => waiting.push(commands),
  });
  const see = (...lines: { [key: string]: JsonValue }[]): void => {
    for (const line of lines) turns.see(line);
  };
  return { turns, unread, over, waiting, see };
}

describe("[E5] when a turn is over", () => {
  it("with the result, when nothing works in the background", () => {
    const { over, see } = watch();
    see(begin);
    expect(over).toEqual([]);
    see(result, result);
    expect(over).toEqual([{ isWorking: false }]);
  });

  it("not while a subagent works, however long it takes, nor before the turn that its end begins", () => {
    const { over, waiting, see } = watch();
    see(begin, tasks(["a", "local_agent"]), result);
    vi.advanceTimersByTime(24 * 3600_000);
    see(tasks());
    vi.advanceTimersByTime(1000);
    expect(over).toEqual([]);
    see(begin);
    vi.advanceTimersByTime(60_000);
    expect(over).toEqual([]);
    see(result);
    expect(over).toEqual([{ isWorking: false }]);
    expect(waiting).toEqual([]);
  });

  it.each([{ is_backgrounded: true }, {}])("when work in the background (%j) ends, and no turn begins after it", (how) => {
    const { over, see } = watch();
    see(begin, { type: "system", subtype: "task_started", task_id: "f", is_backgrounded: false, task_type: "local_agent" });
    see({ type: "system", subtype: "task_started", task_id: "a", task_type: "local_agent", ...how }, result);
    expect(over).toEqual([]);
    see({ type: "system", subtype: "task_notification", task_id: "a" });
    vi.advanceTimersByTime(10_000);
    expect(over).toEqual([{ isWorking: false }]);
  });

  it("when a background command does not end in time; the wait is reported once", () => {
    const { over, waiting, see } = watch();
    see(begin, tasks(["s", "local_bash"]), result, tasks(["s", "local_bash"]));
    expect(waiting).toEqual([["work s"]]);
    vi.advanceTimersByTime(9 * 60_000);
    expect(over).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(over).toEqual([{ isWorking: true }]);
  });

  it("not before a message that was sent has been read and answered", () => {
    const { unread, over, see } = watch();
    see(begin);
    unread.add("u");
    see(result);
    expect(over).toEqual([]);
    unread.clear();
    see(begin);
    vi.advanceTimersByTime(60_000);
    expect(over).toEqual([]);
    see(result);
    expect(over).toHaveLength(1);
  });

  it("when a message is never read", () => {
    const { unread, over, see } = watch();
    see(begin);
    unread.add("u");
    see(result);
    vi.advanceTimersByTime(10_000);
    expect(over).toEqual([{ isWorking: false }]);
  });

  it("with the next result after a stop, whatever works in the background", () => {
    const { turns, over, see } = watch();
    see(begin, tasks(["a", "local_agent"]));
    turns.stop();
    expect(over).toEqual([]);
    see(result);
    expect(over).toEqual([{ isWorking: true }]);
  });
});
