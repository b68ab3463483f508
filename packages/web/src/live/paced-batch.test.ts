import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacedBatch } from "./paced-batch.ts";

function setUp(onHanded: (items: number[], add: (item: number) => void) => void = () => {}) {
  const handed: number[][] = [];
  let timer: (() => void) | undefined;
  const batch = createPacedBatch<number>(
    (items) => {
      handed.push(items);
      onHanded(items, batch.add);
    },
    {
      everyMs: 100,
      setTimer: (action) => {
        timer = action;
        return () => {
          timer = undefined;
        };
      },
    },
  );
  const passTime = () => {
    const action = timer;
    timer = undefined;
    action?.();
  };
  return { batch, handed, passTime, isWaiting: () => timer !== undefined };
}

describe("createPacedBatch", () => {
  it("hands over at once what comes after a pause, and together what comes right after it", () => {
    const { batch, handed, passTime, isWaiting } = setUp();
    for (let i = 0; i < 200; i++) batch.add(i);
    expect(handed).toEqual([[0]]);
    passTime();
    expect(handed).toEqual([[0], Array.from({ length: 199 }, (_, i) => i + 1)]);
    batch.add(200);
    expect(handed).toHaveLength(2);
    passTime();
    passTime();
    expect(isWaiting()).toBe(false);
    batch.add(201);
    expect(handed.slice(2)).toEqual([[200], [201]]);
  });

  it("what is urgent takes along what waits, in order", () => {
    const { batch, handed } = setUp();
    for (const item of [1, 2, 3]) batch.add(item);
    batch.add(4, { urgent: true });
    expect(handed).toEqual([[1], [2, 3, 4]]);
  });

  it("flush hands over at once", () => {
    const { batch, handed } = setUp();
    for (const item of [1, 2]) batch.add(item);
    batch.flush();
    expect(handed).toEqual([[1], [2]]);
  });

  it("what an apply adds comes with the next ones", () => {
    const { batch, handed, passTime } = setUp((items, add) => {
      if (items.includes(1)) add(2);
    });
    batch.add(1);
    expect(handed).toEqual([[1]]);
    passTime();
    expect(handed).toEqual([[1], [2]]);
  });

  it("cancel drops what waits", () => {
    const { batch, handed, passTime } = setUp();
    for (const item of [1, 2]) batch.add(item);
    batch.cancel();
    passTime();
    expect(handed).toEqual([[1]]);
  });

  it("loses nothing and keeps the order, however time passes", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("calm", "urgent", "flush", "time" as const)), (steps) => {
        const { batch, handed, passTime } = setUp();
        let added = 0;
        for (const step of steps) {
          if (step === "time") passTime();
          else if (step === "flush") batch.flush();
          else batch.add(added++, { urgent: step === "urgent" });
        }
        batch.flush();
        expect(handed.flat()).toEqual(Array.from({ length: added }, (_, index) => index));
      }),
    );
  });
});
