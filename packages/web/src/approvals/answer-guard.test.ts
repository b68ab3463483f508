import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnswerGuard, seenMs } from "./answer-guard.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start({ visible }: { visible: boolean }) {
  const reports: boolean[] = [];
  const guard = createAnswerGuard((isReady) => reports.push(isReady));
  guard.show(visible);
  return { reports, guard };
}

describe("createAnswerGuard", () => {
  it("[E10] a card can be answered once it has been visible for 400 ms, and no longer when it has gone", () => {
    const { guard, reports } = start({ visible: true });
    vi.advanceTimersByTime(seenMs - 1);
    expect(reports).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reports).toEqual([true]);
    guard.show(false);
    expect(reports).toEqual([true, false]);
    guard.show(true);
    vi.advanceTimersByTime(seenMs - 1);
    expect(reports).toEqual([true, false]);
  });

  it("[E10] a card that is not on the screen cannot be answered, however long it has been there", () => {
    const { reports } = start({ visible: false });
    vi.advanceTimersByTime(10 * seenMs);
    expect(reports).toEqual([]);
  });

  it("[E10] one that has changed or moved counts as new", () => {
    const { guard, reports } = start({ visible: true });
    vi.advanceTimersByTime(seenMs);
    guard.restart();
    vi.advanceTimersByTime(seenMs - 1);
    guard.restart();
    vi.advanceTimersByTime(seenMs - 1);
    expect(reports).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect(reports).toEqual([true, false, true]);
  });

  it("[E10] time in a page that is hidden does not count", () => {
    const { guard, reports } = start({ visible: true });
    vi.advanceTimersByTime(seenMs - 1);
    guard.showPage(false);
    vi.advanceTimersByTime(10 * seenMs);
    guard.showPage(true);
    vi.advanceTimersByTime(seenMs - 1);
    expect(reports).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reports).toEqual([true]);
  });

  it("a stopped guard reports nothing", () => {
    const { guard, reports } = start({ visible: true });
    guard.stop();
    vi.advanceTimersByTime(seenMs);
    expect(reports).toEqual([]);
  });
});
