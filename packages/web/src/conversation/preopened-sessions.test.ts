import type { TaskId } from "@skein/contracts";
import { expect, it } from "vitest";
import type { ConversationSession } from "./conversation-session.ts";
import { createPreopenedSessions } from "./preopened-sessions.ts";

const [one, two, three, four] = ["tsk_1", "tsk_2", "tsk_3", "tsk_4"] as TaskId[] as [TaskId, TaskId, TaskId, TaskId];

function setUp() {
  const opened: TaskId[] = [];
  const closed: TaskId[] = [];
  const timers = new Set<() => void>();
  const sessions = createPreopenedSessions(
    (taskId) => {
      opened.push(taskId);
      return { close: () => closed.push(taskId) } as unknown as ConversationSession;
    },
    {
      setTimer: (action) => {
        timers.add(action);
        return () => timers.delete(action);
      },
    },
  );
  const expire = () => {
    for (const action of timers) action();
  };
  return { sessions, opened, closed, expire, timers };
}

it("a page takes the session that was opened for it, once; nothing closes it afterwards", () => {
  const { sessions, opened, closed, timers } = setUp();
  sessions.preopen(one);
  sessions.preopen(one);
  expect(sessions.peek(one)).toBe(sessions.take(one));
  expect(sessions.take(one)).toBeUndefined();
  expect([opened, closed, timers.size]).toEqual([[one], [], 0]);
});

it("a session that no page takes is closed", () => {
  const { sessions, closed, expire } = setUp();
  sessions.preopen(one);
  expire();
  expect([closed, sessions.peek(one)]).toEqual([[one], undefined]);
});

it("of many that are hovered over, the last three stay open", () => {
  const { sessions, closed } = setUp();
  for (const taskId of [one, two, three, four]) sessions.preopen(taskId);
  expect(closed).toEqual([one]);
});
