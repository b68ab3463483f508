import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type CommitOutcome, createCommitScheduler, createEndCommit, type ReadProgress } from "./commit-scheduler.ts";

const megabyte = 1024 * 1024;
const saved: CommitOutcome = { type: "saved", writeMs: 1 };

/** A scheduler whose commits succeed at once, or are ended by the test one after another. */
function setUp({ isManual = false }: { isManual?: boolean } = {}) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let pending = 0;
  const commits: { groupForMs: number; end(outcome: CommitOutcome): void }[] = [];
  const scheduler = createCommitScheduler({
    offset: 0,
    hasPending: () => pending > 0,
    async write({ groupForMs }) {
      const taken = pending;
      pending = 0;
      const ended = Promise.withResolvers<CommitOutcome>();
      commits.push({ groupForMs, end: ended.resolve });
      if (!isManual) ended.resolve(saved);
      const outcome = await ended.promise;
      if (outcome.type !== "saved") pending += taken;
      return outcome;
    },
  });
  const read = (progress: Partial<ReadProgress> = {}): Promise<void> => {
    pending += 1;
    return scheduler.noteRead({ readTo: 100, isBehind: false, isGrowing: false, hasFacts: false, pendingMessages: pending, ...progress });
  };
  return { scheduler, commits, read };
}

/** Whether it is resolved when everything that could happen has happened. */
async function isResolved(promise: Promise<unknown>): Promise<boolean> {
  let resolved = false;
  void promise.then(() => {
    resolved = true;
  });
  await setImmediate();
  return resolved;
}

describe("[E6] a reader that keeps up with its agent", () => {
  it("commits complete messages that come in quick succession together, after 150 ms", async () => {
    const { commits, read } = setUp();
    await read();
    vi.advanceTimersByTime(100);
    await read();
    vi.advanceTimersByTime(49);
    expect(commits).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(commits).toMatchObject([{ groupForMs: 25 }]);
  });

  it("commits text that grows after 400 ms, or with a message that is complete before", async () => {
    const { commits, read } = setUp();
    await read({ isGrowing: true });
    vi.advanceTimersByTime(399);
    expect(commits).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(commits).toHaveLength(1);
    await read({ isGrowing: true });
    await read();
    vi.advanceTimersByTime(150);
    expect(commits).toHaveLength(2);
    await setImmediate();
    vi.advanceTimersByTime(400);
    expect(commits).toHaveLength(2);
  });

  it("[E10] commits at once what others act on, and 100 messages", async () => {
    const { commits, read } = setUp();
    await read({ hasFacts: true });
    expect(commits).toHaveLength(1);
    await setImmediate();
    await read({ pendingMessages: 100 });
    expect(commits).toHaveLength(2);
  });

  it("commits one at a time, and once more for all that asked meanwhile", async () => {
    const { scheduler, commits, read } = setUp({ isManual: true });
    await read({ hasFacts: true });
    await read({ hasFacts: true });
    void scheduler.commit();
    expect(commits).toHaveLength(1);
    commits[0]?.end(saved);
    await setImmediate();
    expect(commits).toHaveLength(2);
    commits[1]?.end(saved);
    await setImmediate();
    expect(commits).toHaveLength(2);
  });

  it("commits what is left where the log ends, also where nothing else would", async () => {
    const { scheduler, commits, read } = setUp();
    await read({ isBehind: true });
    scheduler.noteLogEnd();
    vi.advanceTimersByTime(150);
    expect(commits).toHaveLength(1);
    await setImmediate();
    scheduler.noteLogEnd();
    vi.advanceTimersByTime(150);
    expect(commits).toHaveLength(1);
  });
});

describe("[Q15] a reader that is behind its agent", () => {
  it("commits whole batches, which wait for no other execution", async () => {
    const { commits, read } = setUp();
    await read({ isBehind: true, readTo: 100_000 });
    vi.advanceTimersByTime(1000);
    expect(commits).toHaveLength(0);
    await read({ isBehind: true, readTo: 300_000 });
    expect(commits).toMatchObject([{ groupForMs: 0 }]);
  });

  it("reads one batch ahead of the disk, and no further", async () => {
    const { commits, read } = setUp({ isManual: true });
    await read({ isBehind: true, readTo: megabyte });
    const ahead = read({ isBehind: true, readTo: 2 * megabyte });
    expect(await isResolved(ahead)).toBe(false);
    commits[0]?.end({ type: "saved", writeMs: 12 });
    expect(await isResolved(ahead)).toBe(true);
    expect(commits).toHaveLength(2);
  });
});

describe("[Q16] while commits fail", () => {
  it("2 MB of a log are held; then nothing more is read until a commit has succeeded", async () => {
    const { commits, read } = setUp({ isManual: true });
    await read({ hasFacts: true, readTo: 1000 });
    commits[0]?.end({ type: "failed" });
    await setImmediate();
    expect(await isResolved(read({ readTo: megabyte }))).toBe(true);
    vi.useRealTimers();
    const held = read({ readTo: 3 * megabyte });
    expect(await isResolved(held)).toBe(false);
    await vi.waitFor(() => expect(commits).toHaveLength(2));
    commits[1]?.end({ type: "failed" });
    await vi.waitFor(() => expect(commits).toHaveLength(3));
    expect(await isResolved(held)).toBe(false);
    commits[2]?.end(saved);
    expect(await isResolved(held)).toBe(true);
  });

  it("[Q13] the rest of a batch without its rejected part is committed at once", async () => {
    const { commits, read } = setUp({ isManual: true });
    await read({ hasFacts: true });
    commits[0]?.end({ type: "reduced" });
    await setImmediate();
    expect(commits).toHaveLength(2);
  });

  it("a server that closes waits for the commit at work, and releases the reader", async () => {
    const { scheduler, commits, read } = setUp({ isManual: true });
    await read({ hasFacts: true });
    commits[0]?.end({ type: "failed" });
    await setImmediate();
    const held = read({ readTo: 3 * megabyte });
    await scheduler.close();
    expect(await isResolved(held)).toBe(true);
    void scheduler.commit();
    expect(commits).toHaveLength(1);
  });
});

it("[P1] a scheduler that was stopped begins no commit by itself: the settling transaction has the rest", async () => {
  const { scheduler, commits, read } = setUp();
  await read();
  await scheduler.stop();
  vi.advanceTimersByTime(1000);
  expect(commits).toHaveLength(0);
});

it("[P1] of an agent that commits at its end only facts are saved before, and the reading waits for them", async () => {
  const facts = Promise.withResolvers<void>();
  const saveFacts = vi.fn(() => facts.promise);
  const scheduler = createEndCommit({ saveFacts });
  const progress = { readTo: 9 * megabyte, isBehind: true, isGrowing: false, pendingMessages: 1000 };
  await scheduler.noteRead({ ...progress, hasFacts: false });
  expect(saveFacts).not.toHaveBeenCalled();
  const waiting = scheduler.noteRead({ ...progress, hasFacts: true });
  expect(await isResolved(waiting)).toBe(false);
  facts.resolve();
  expect(await isResolved(waiting)).toBe(true);
});
