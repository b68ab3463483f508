import { describe, expect, it } from "vitest";
import { taskEn } from "../i18n/task-text.ts";
import { toComposerHints } from "./composer-hints.ts";

const hints = (isExecuting: boolean, length: number, isPaused = false) =>
  toComposerHints({ isExecuting, isAsked: false, queue: { length, isPaused } }, taskEn);

describe("toComposerHints", () => {
  it("[E4] explains beforehand what a message does to a paused queue", () => {
    expect(hints(false, 2, true)).toMatchObject({ line: expect.stringMatching(/^Enter to send now, ahead of the paused queue/) });
    expect(hints(true, 2, true).placeholder).toBe("Add a message to the paused queue");
    expect(hints(true, 2, true).line).toMatch(/^Enter to add to the paused queue .* Esc to stop$/);
    expect(hints(false, 0).line).toMatch(/^Enter to send ·/);
  });

  it("[E4] explains that stopping pauses a queue with messages", () => {
    expect(hints(true, 1).stop).toBe("Stop the agent. The queued message waits until you continue.");
    expect(hints(true, 2).line).toMatch(/Esc to stop and pause the queue$/);
    expect(hints(true, 0)).toMatchObject({ stop: "Stop", line: expect.stringMatching(/Esc to stop$/) });
  });
});
