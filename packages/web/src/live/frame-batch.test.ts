import { describe, expect, it } from "vitest";
import { createFrameBatch } from "./frame-batch.ts";

function manualFrames() {
  const waiting = new Map<number, () => void>();
  let next = 1;
  return {
    waiting,
    scheduler: {
      request: (action: () => void) => {
        waiting.set(next, action);
        return next++;
      },
      cancel: (handle: number) => void waiting.delete(handle),
    },
    run() {
      const actions = [...waiting.values()];
      waiting.clear();
      for (const action of actions) action();
    },
  };
}

describe("createFrameBatch", () => {
  it("hands over everything of one frame together, in order", () => {
    const frames = manualFrames();
    const handed: number[][] = [];
    const batch = createFrameBatch<number>((items) => handed.push(items), frames.scheduler);
    for (let i = 0; i < 200; i++) batch.add(i);
    expect([handed.length, frames.waiting.size]).toEqual([0, 1]);
    frames.run();
    batch.add(200);
    frames.run();
    expect(handed).toEqual([Array.from({ length: 200 }, (_, i) => i), [200]]);
  });

  it("flush hands over at once and leaves no frame behind", () => {
    const frames = manualFrames();
    const handed: number[][] = [];
    const batch = createFrameBatch<number>((items) => handed.push(items), frames.scheduler);
    batch.add(1);
    batch.flush();
    expect([handed, frames.waiting.size]).toEqual([[[1]], 0]);
  });

  it("what an apply adds comes in the next frame", () => {
    const frames = manualFrames();
    const handed: number[][] = [];
    const batch = createFrameBatch<number>((items) => {
      handed.push(items);
      if (items[0] === 1) batch.add(2);
    }, frames.scheduler);
    batch.add(1);
    frames.run();
    frames.run();
    expect(handed).toEqual([[1], [2]]);
  });

  it("cancel drops what was collected", () => {
    const frames = manualFrames();
    const handed: number[][] = [];
    const batch = createFrameBatch<number>((items) => handed.push(items), frames.scheduler);
    batch.add(1);
    batch.cancel();
    frames.run();
    expect(handed).toEqual([]);
  });
});
