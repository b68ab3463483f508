import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnswerGuard, seenMs } from "./answer-guard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const told: boolean[] = [];
  return { told, guard: createAnswerGuard((isReady) => told.push(isReady)) };
}

/** A card that is on the screen as a whole. */
function startVisible() {
  const started = start();
  started.guard.show("title", true);
  started.guard.show("actions", true);
  return started;
}

describe("createAnswerGuard", () => {
  it("[E10] a card can be answered once it has been visible for 400 ms", () => {
    const { guard, told } = startVisible();
    vi.advanceTimersByTime(seenMs - 1);
    expect(guard.isReady()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(guard.isReady()).toBe(true);
    expect(told).toEqual([true]);
  });

  it("[E10] a card that is not on the screen cannot be answered, however long it has been there", () => {
    const { guard } = start();
    vi.advanceTimersByTime(10 * seenMs);
    expect(guard.isReady()).toBe(false);
  });

  it("[E10] one whose title has not been seen cannot be answered", () => {
    const { guard } = start();
    guard.show("actions", true);
    vi.advanceTimersByTime(10 * seenMs);
    expect(guard.isReady()).toBe(false);
  });

  it("[E10] of one that is taller than the screen the title may be scrolled away, the actions may not", () => {
    const { guard } = start();
    guard.show("title", true);
    vi.advanceTimersByTime(seenMs);
    guard.show("title", false);
    guard.show("actions", true);
    vi.advanceTimersByTime(seenMs);
    expect(guard.isReady()).toBe(true);
    guard.show("actions", false);
    expect(guard.isReady()).toBe(false);
    guard.show("actions", true);
    vi.advanceTimersByTime(seenMs - 1);
    expect(guard.isReady()).toBe(false);
  });

  it("[E10] one that has changed or moved counts as new", () => {
    const { guard, told } = startVisible();
    vi.advanceTimersByTime(seenMs);
    guard.restart();
    expect(guard.isReady()).toBe(false);
    vi.advanceTimersByTime(seenMs - 1);
    guard.restart();
    vi.advanceTimersByTime(seenMs - 1);
    expect(guard.isReady()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([true, false, true]);
  });

  it("[E10] time in a page that is hidden does not count", () => {
    const { guard } = startVisible();
    vi.advanceTimersByTime(seenMs - 1);
    guard.showPage(false);
    vi.advanceTimersByTime(10 * seenMs);
    expect(guard.isReady()).toBe(false);
    guard.showPage(true);
    vi.advanceTimersByTime(seenMs - 1);
    expect(guard.isReady()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(guard.isReady()).toBe(true);
  });

  it("a guard that was stopped says nothing more", () => {
    const { guard, told } = startVisible();
    guard.stop();
    vi.advanceTimersByTime(seenMs);
    expect(told).toEqual([]);
  });
});
