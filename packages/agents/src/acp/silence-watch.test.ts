import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSilenceWatch } from "./silence-watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const update = (body: object) => ({ method: "session/update", params: { update: { sessionUpdate: "tool_call_update", ...body } } });

function watchSilence() {
  const seconds: unknown[] = [];
  const watch = createSilenceWatch({ log: (line) => seconds.push(JSON.parse(line).params.update.seconds) });
  return { watch, seconds };
}

test("[E5] an agent's silence is reported only during a prompt", () => {
  const { watch, seconds } = watchSilence();
  vi.advanceTimersByTime(60_000);
  const end = watch.begin();
  vi.advanceTimersByTime(25_000);
  expect(seconds).toEqual([15, 20, 25]);
  watch.see(update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "…" } }));
  vi.advanceTimersByTime(10_000);
  end();
  vi.advanceTimersByTime(60_000);
  expect(seconds).toEqual([15, 20, 25]);
});

test("[E5] a running tool or a pending question is not silence", () => {
  const { watch, seconds } = watchSilence();
  watch.begin();
  watch.see(update({ toolCallId: "a", status: "in_progress" }));
  vi.advanceTimersByTime(60_000);
  watch.see(update({ toolCallId: "a", status: "completed" }));
  watch.see({ method: "session/request_permission", params: { toolCall: { toolCallId: "b", status: "pending" } } });
  vi.advanceTimersByTime(60_000);
  expect(seconds).toEqual([]);
  // denied, and never ended: the agent's next message shows that it does not wait for it
  watch.see(update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I see." } }));
  vi.advanceTimersByTime(15_000);
  expect(seconds).toEqual([15]);
});
