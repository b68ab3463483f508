import type { Task } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countFilters, listTags, matchesFilters, parseBoardFilters, toggleFilter } from "./board-filters.ts";

const task = (changes: object = {}) =>
  ({
    title: "Fix the lamp",
    description: "In the tower",
    tags: ["bug"],
    priority: "high",
    status: "todo",
    archived: false,
    ...changes,
  }) as Task;

describe("parseBoardFilters", () => {
  it("reads one value or several, and ignores what is not a filter", () => {
    expect(parseBoardFilters({ q: "lamp", tag: "bug", priority: ["high", "nonsense", "high"], status: 7, archived: "true", x: 1 })).toEqual(
      {
        q: "lamp",
        tag: ["bug"],
        priority: ["high"],
        archived: true,
      },
    );
  });
  it("reads what it wrote: any address gives a filter that stays the same", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("q", "tag", "priority", "agent", "status", "archived"), fc.anything()), (search) => {
        const once = parseBoardFilters(search);
        expect(parseBoardFilters({ ...once })).toEqual(once);
      }),
    );
  });
});

describe("matchesFilters", () => {
  it.each([
    [{}, true],
    [{ q: "TOWER lamp" }, true],
    [{ q: "tower harbour" }, false],
    [{ tag: ["other", "bug"] }, true],
    [{ tag: ["other"] }, false],
    [{ priority: ["low"] }, false],
    [{ status: ["todo"], priority: ["high"] }, true],
    [{ agent: ["codex"] }, true],
    [{ agent: ["native"] }, false],
  ] as const)("%j is %s", (filters, expected) => {
    expect(matchesFilters(task(), "codex", parseBoardFilters(filters))).toBe(expected);
  });
  it("hides archived tasks unless they are requested", () => {
    expect(matchesFilters(task({ archived: true }), null, {})).toBe(false);
    expect(matchesFilters(task({ archived: true }), null, { archived: true })).toBe(true);
  });
});

describe("toggleFilter", () => {
  it("a filter taken away leaves nothing in the address", () => {
    const on = toggleFilter({}, "tag", "bug");
    expect([on, toggleFilter(on, "tag", "bug"), countFilters(on)]).toEqual([{ tag: ["bug"] }, {}, 1]);
  });
});

it("listTags gives the most used first", () => {
  expect(listTags([task(), task({ tags: ["a", "z"] }), task({ tags: ["z"] }), task({ tags: ["z"] })])).toEqual(["z", "a", "bug"]);
});
