import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { agentEnd, openCatchUp, toLog, toTextLine, writeLog } from "./catch-up.fixture.ts";

const chunkBytes = 64 * 1024;

async function setUp(log: string, commitsAtEnd = false) {
  const directory = mkdtempSync(join(tmpdir(), "skein-catch-up-"));
  writeLog(directory, log);
  const opened = await openCatchUp(directory, { commitsAtEnd });
  onTestFinished(async () => {
    await opened.storage.close();
    rmSync(directory, { recursive: true });
  });
  return opened;
}

/** How often others get a turn until `work` is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

describe("a log far ahead of its reader", () => {
  it.each([false, true])("[Q15] is read with turns for others in between (committed at its end: %s)", async (commitsAtEnd) => {
    const { follow } = await setUp(toLog(3000), commitsAtEnd);
    const follower = await follow();
    expect(await countTurns(follower.pump())).toBeGreaterThan(3);
    await follower.close();
  });

  it("[E6] is committed in large batches", async () => {
    const { storage, follow } = await setUp(toLog(2500));
    const sizes: number[] = [];
    storage.onCommitted((events) => void sizes.push(events.length));
    await (await follow()).finish(agentEnd);
    // the smallest batch is 128 kB of the log, about 400 messages; its end and the settling are what is left
    expect(sizes.slice(0, -3).filter((size) => size < 300)).toEqual([]);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(5000);
  });

  it("[Q5] [Q7] is read exactly once, after whichever commit its reader ends", { timeout: 120_000 }, async () => {
    const log = toLog(1500);
    const whole = await setUp(log);
    let last = 0;
    await (await whole.follow(() => last++)).finish(agentEnd);
    const expected = await whole.readAll();
    expect(expected.conversation.filter(({ messageType }) => messageType === "text")).toHaveLength(1500);
    for (const stopAfter of new Set([1, 2, Math.floor(last / 2), last - 1])) {
      const { follow, published, readAll } = await setUp(log);
      let commits = 0;
      const first = await follow(() => {
        if (++commits === stopAfter) void first.close();
      });
      await first.pump();
      await first.close();
      await (await follow()).finish(agentEnd);
      expect(await readAll()).toEqual(expected);
      const revisions = published.flatMap(({ event }) =>
        event.type === "message:added" ? [`${event.message.id} ${event.message.revision}`] : [],
      );
      expect(new Set(revisions).size).toBe(revisions.length);
      expect(published.map(({ seq }) => seq)).toEqual(published.map((_, index) => (published[0]?.seq ?? 0) + index));
    }
  });

  it.each([false, true])(
    "[Q5] [Q7] of an agent that has ended is not settled by a server that is closed before it has read all of it (committed at its end: %s)",
    async (commitsAtEnd) => {
      const { follow, readAll, storage } = await setUp(toLog(3000), commitsAtEnd);
      const closing = await follow();
      const finished = closing.finish(agentEnd);
      await closing.close();
      expect(await finished).toBeUndefined();
      expect(await storage.read.listRunningExecutions()).toHaveLength(1);
      const next = await follow();
      await next.finish(agentEnd);
      expect((await readAll()).conversation.filter(({ messageType }) => messageType === "text")).toHaveLength(3000);
      expect(await storage.read.listRunningExecutions()).toEqual([]);
      await next.close();
    },
  );

  it("[E6] that ends exactly with a chunk is committed without a further line", async () => {
    const empty = toTextLine("", 1);
    const { follow, readAll } = await setUp(`${toTextLine("x".repeat(chunkBytes - empty.length - 1), 1)}\n`);
    const follower = await follow();
    await follower.pump();
    await vi.waitFor(async () => expect((await readAll()).conversation).toHaveLength(1));
    await follower.close();
  });
});
