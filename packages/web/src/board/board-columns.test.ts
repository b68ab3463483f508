import type { Task, TaskStatus } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitPlace, moveCard, nextCard, placeCards, toBoardColumns } from "./board-columns.ts";

const task = (id: string, status: TaskStatus, position: number) => ({ id, status, position, createdAt: 0 }) as Task;
const tasks = [task("a", "todo", 1), task("b", "todo", 2), task("c", "todo", 3), task("d", "in-review", 5), task("e", "done", 1)];
const columns = toBoardColumns(tasks);

describe("toBoardColumns", () => {
  it("sorts by position and leaves out an empty cancelled column only", () => {
    expect(
      toBoardColumns([task("x", "todo", 2), task("y", "todo", 1)]).map((column) => [column.status, column.tasks.map(({ id }) => id)]),
    ).toEqual([
      ["todo", ["y", "x"]],
      ["in-progress", []],
      ["in-review", []],
      ["done", []],
    ]);
    expect(toBoardColumns([task("x", "cancelled", 1)])).toHaveLength(5);
  });
});

describe("nextCard", () => {
  it.each([
    ["a", "down", "b"],
    ["a", "up", null],
    ["c", "right", "d"],
    ["d", "right", "e"],
    ["d", "left", "a"],
    ["e", "right", null],
    ["gone", "down", "a"],
  ] as const)("%s %s is %s", (from, direction, to) => expect(nextCard(columns, from, direction)?.id ?? null).toBe(to));
});

describe("moveCard", () => {
  it("moves to the next column, also an empty one, near the same height", () => {
    expect(moveCard(columns, "b", "right")).toEqual({ status: "in-progress", index: 0 });
    expect(moveCard(columns, "e", "left")).toEqual({ status: "in-review", index: 0 });
    expect(moveCard(columns, "e", "right")).toEqual({ status: "cancelled", index: 0 });
    expect(moveCard(columns, "a", "left")).toBeNull();
  });

  it("moves within the column and stops at its ends", () => {
    expect(moveCard(columns, "a", "down")).toEqual({ status: "todo", index: 1 });
    expect(moveCard(columns, "c", "up")).toEqual({ status: "todo", index: 1 });
    expect(moveCard(columns, "a", "up")).toBeNull();
    expect(moveCard(columns, "c", "down")).toBeNull();
  });
});

describe("placeCards", () => {
  const order = (cards: readonly Task[]) => cards.toSorted((a, b) => a.position - b.position).map(({ id }) => id);
  const apply = (known: readonly Task[], changes: ReturnType<typeof placeCards>) =>
    known.map((card) => ({ ...card, ...changes.find(({ task: changed }) => changed.id === card.id)?.changes }) as Task);

  it("puts a card between two, before the first and after the last, with one change", () => {
    const [a, b, c] = tasks as [Task, Task, Task];
    for (const [card, index, expected] of [
      [c, 0, ["c", "a", "b"]],
      [c, 1, ["a", "c", "b"]],
      [a, 99, ["b", "c", "a"]],
    ] as const) {
      const changes = placeCards(columns, [card], { status: "todo", index });
      expect(changes).toHaveLength(1);
      expect(order(apply([a, b, c], changes))).toEqual(expected);
    }
  });

  it("any number of moves leaves the requested order: positions never run out", () => {
    const moves = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(moves, (asked) => {
        let known = ["a", "b", "c", "d", "e"].map((id, at) => task(id, "todo", at));
        const expected = known.map(({ id }) => id as string);
        for (const [from, to] of asked) {
          const id = expected.splice(from, 1)[0] ?? "";
          expected.splice(to, 0, id);
          const card = known.find((other) => other.id === id) as Task;
          known = apply(known, placeCards(toBoardColumns(known), [card], { status: "todo", index: to }));
          expect(order(known)).toEqual(expected);
        }
      }),
      { numRuns: 50 },
    );
    let known = ["a", "b", "c"].map((id, at) => task(id, "todo", at));
    for (let turn = 0; turn < 200; turn++) {
      const last = known.toSorted((a, b) => a.position - b.position).at(-1) as Task;
      known = apply(known, placeCards(toBoardColumns(known), [last], { status: "todo", index: 1 }));
      expect(new Set(known.map(({ position }) => position)).size).toBe(3);
    }
  });

  it("several cards stay together, in their order", () => {
    const changes = placeCards(columns, [tasks[4] as Task, tasks[0] as Task], { status: "todo", index: 1 });
    expect(order(apply(tasks, changes).filter(({ status }) => status === "todo"))).toEqual(["b", "e", "a", "c"]);
  });
});

describe("a waiting or running task", () => {
  const activity = (changes: object) => ({ executing: true, pendingApprovals: 0, open: [], attempts: 1, lastEnd: null, ...changes });
  const running = { ...task("r", "todo", 9), activity: { ...activity({}), totals: { usage: {} } } } as unknown as Task;
  const waiting = {
    ...task("w", "todo", 2.5),
    activity: { ...activity({ pendingApprovals: 1 }), totals: { usage: {} } },
  } as unknown as Task;
  const mixed = toBoardColumns([...tasks, running, waiting]);
  const ids = (known: typeof mixed) => known[0]?.tasks.map(({ id }) => id);
  const [a, b, c, d] = tasks as [Task, Task, Task, Task];
  const apply = (changes: ReturnType<typeof placeCards>) =>
    [...tasks, running, waiting].map((card) => ({ ...card, ...changes.find(({ task: { id } }) => id === card.id)?.changes }) as Task);

  it("comes first in its column, what waits before what runs, and the rest keeps the user's order", () => {
    expect(ids(mixed)).toEqual(["w", "r", "a", "b", "c"]);
    expect(nextCard(mixed, "r", "down")?.id).toBe("a");
  });

  it("stays above what is dropped there, and keeps its place in the user's order", () => {
    expect(limitPlace(mixed, [c], { status: "todo", index: 0 })).toEqual({ status: "todo", index: 2 });
    const changes = placeCards(mixed, [c], { status: "todo", index: 2 });
    expect(changes.map(({ task: { id } }) => id)).toEqual(["c"]);
    expect(ids(toBoardColumns(apply(changes)))).toEqual(["w", "r", "c", "a", "b"]);
    const between = apply(placeCards(mixed, [d], { status: "todo", index: 4 }));
    expect(ids(toBoardColumns(between))).toEqual(["w", "r", "a", "b", "d", "c"]);
    expect(ids(toBoardColumns(apply(placeCards(mixed, [a], { status: "todo", index: 9 }))))).toEqual(["w", "r", "b", "c", "a"]);
  });

  it("is not reordered, but moved to other columns", () => {
    expect(placeCards(mixed, [running], { status: "todo", index: 0 })).toEqual([]);
    expect([moveCard(mixed, "r", "down"), moveCard(mixed, "w", "up"), moveCard(mixed, "a", "up")]).toEqual([null, null, null]);
    expect(limitPlace(mixed, [running], { status: "in-review", index: 1 })).toEqual({ status: "in-review", index: 0 });
    const moved = toBoardColumns(apply(placeCards(mixed, [running], { status: "in-review", index: 0 })));
    expect(moved[2]?.tasks.map(({ id }) => id)).toEqual(["r", "d"]);
    expect(b.position).toBe(2);
  });

  it("does not move in a column that is held: neither up when it starts, nor down when it ends", () => {
    const held = (active: Task[]) => ({ held: { status: "todo" as const, active: active.map(({ id }) => id) } });
    expect(ids(toBoardColumns([...tasks, running, waiting], held([])))).toEqual(["a", "b", "w", "c", "r"]);
    expect(ids(toBoardColumns([...tasks, running, waiting], held([c, running])))).toEqual(["c", "r", "a", "b", "w"]);
    const elsewhere = toBoardColumns([...tasks, running, waiting], { held: { status: "in-review", active: [] } });
    expect(ids(elsewhere)).toEqual(["w", "r", "a", "b", "c"]);
  });
});
