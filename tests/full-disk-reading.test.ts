import { describe, expect, onTestFinished, test, vi } from "vitest";
import { agentEnd, openCatchUp, toTextLine, writeLog } from "../packages/server/src/executions/catch-up.fixture.ts";
import { newFolder } from "./support/repository.ts";
import { canMountDisks, mountSmallDisk } from "./support/small-disk.ts";

const wait = { timeout: 60_000, interval: 200 };
const lines = 20_000;

describe.skipIf(!canMountDisks)("a log that is read while the database's disk is full", () => {
  test("[Q16] [Q14] is not read further until there is space, and then all of it is stored once", async () => {
    const disk = mountSmallDisk({ megabytes: 120 });
    const directory = newFolder("full-disk");
    const text = "x".repeat(1000);
    writeLog(directory, Array.from({ length: lines }, (_, number) => `${toTextLine(`${number} ${text}`, number)}\n`).join(""));
    const { storage, follow, readAll } = await openCatchUp(directory, { database: disk.path });
    onTestFinished(() => storage.close());
    const follower = await follow();
    disk.fill();
    let isRead = false;
    const reading = follower.pump().then(() => {
      isRead = true;
    });
    // it has stopped if it has nothing new after the time in which it would have read everything
    let held = -1;
    await vi.waitFor(
      () => {
        const before = held;
        held = follower.uncommitted().length;
        expect(held).toBeGreaterThan(1000);
        expect(held).toBe(before);
      },
      { ...wait, interval: 2000 },
    );
    expect(isRead).toBe(false);
    expect(held).toBeLessThan(lines / 4);

    disk.free();
    await reading;
    await follower.finish(agentEnd);
    const { conversation, messages } = await readAll();
    expect(messages).toHaveLength(lines);
    expect(conversation.filter(({ messageType }) => messageType === "text").map(({ content }) => Number.parseInt(content, 10))).toEqual(
      Array.from({ length: lines }, (_, number) => number),
    );
    await follower.close();
  });

  test("[Q16] a reader that waits for space can be closed", async () => {
    const disk = mountSmallDisk({ megabytes: 60 });
    const directory = newFolder("full-disk");
    writeLog(directory, Array.from({ length: 6000 }, (_, number) => `${toTextLine("x".repeat(1000), number)}\n`).join(""));
    const { storage, follow } = await openCatchUp(directory, { database: disk.path });
    onTestFinished(() => storage.close());
    const follower = await follow();
    disk.fill();
    const reading = follower.pump();
    await vi.waitFor(() => expect(follower.uncommitted().length).toBeGreaterThan(1000), wait);
    await follower.close();
    await reading;
  });
});
