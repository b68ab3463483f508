import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnswerGuard, seenMs } from "./answer-guard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start({ visible }: { visible: boolean }) {
  const told: boolean[] = [];
  const guard = createAnswerGuard((isReady) => told.push(isReady));
  guard.show(visible);
  return { told, guard };
}

describe("createAnswerGuard", () => {
  it("[E10] a card can be answered once it has been visible for 400 ms, and no longer when it has gone", () => {
    const { guard, told } = start({ visible: true });
    vi.advanceTimersByTime(seenMs - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([true]);
    guard.show(false);
    expect(told).toEqual([true, false]);
    guard.show(true);
    vi.advanceTimersByTime(seenMs - 1);
    expect(told).toEqual([true, false]);
  });

  it("[E10] a card that is not on the screen cannot be answered, however long it has been there", () => {
    const { told } = start({ visible: false });
    vi.advanceTimersByTime(10 * seenMs);
    expect(told).toEqual([]);
  });

  it("[E10] one that has changed or moved counts as new", () => {
    const { guard, told } = start({ visible: true });
    vi.advanceTimersByTime(seenMs);
    guard.restart();
    vi.advanceTimersByTime(seenMs - 1);
    guard.restart();
    vi.advanceTimersByTime(seenMs - 1);
    expect(told).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([true, false, true]);
  });

  it("[E10] time in a page that is hidden does not count", () => {
    const { guard, told } = start({ visible: true });
    vi.advanceTimersByTime(seenMs - 1);
    guard.showPage(false);
    vi.advanceTimersByTime(10 * seenMs);
    guard.showPage(true);
    vi.advanceTimersByTime(seenMs - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([true]);
  });

  it("a stopped guard reports nothing", () => {
    const { guard, told } = start({ visible: true });
    guard.stop();
    vi.advanceTimersByTime(seenMs);
    expect(told).toEqual([]);
  });
});
