import type { HistoryEntry, HistoryPage, MessageBody } from "@skein/contracts";
import { formatMessages } from "@skein/engine";
import { describe, expect, test } from "vitest";
import { hasEarlierRows, sumHistory, toContextRows } from "./context-rows.ts";
import { applyHistoryPage, emptyHistoryView, findEarlierPage, findNewerPage } from "./history-view.ts";

const call = (id: string): MessageBody => ({
  role: "assistant",
  content: "",
  toolCalls: [{ id, type: "function", function: { name: "read", arguments: "{}" } }],
});
const result = (toolCallId: string): MessageBody => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "read", input: {}, result: `result of ${toolCallId}` }],
});
const said = (content: string): MessageBody => ({ role: "user", content });

function entry(id: string, body: MessageBody, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id: id as HistoryEntry["id"],
    executionId: "exe_1" as HistoryEntry["executionId"],
    body,
    isShortened: false,
    createdAt: 1,
    size: { tokens: 10, isEstimate: true },
    isInherited: false,
    isLive: false,
    isSummarized: false,
    pruned: [],
    ...more,
  };
}

function page(offset: number, messages: HistoryEntry[], more: Partial<HistoryPage> = {}): HistoryPage {
  const total = offset + messages.length;
  return { offset, messages, total, settled: total, compressionId: "none:0", summary: null, ...more };
}

const history = [entry("a", said("1")), entry("b", call("x")), entry("c", result("x")), entry("d", said("2")), entry("e", call("y"))];

describe("a history that is loaded page by page", () => {
  test("[U2, U3, C1] pages, then live messages that change, give what the whole history gives", () => {
    const live = { isLive: true };
    expect(findNewerPage(emptyHistoryView, { refresh: false })).toEqual({ offset: -200, limit: 200 });
    let view = applyHistoryPage(emptyHistoryView, page(0, history.slice(0, 2), { total: 3, settled: 2 }));
    expect(findNewerPage(view, { refresh: false })).toEqual({ offset: 2, limit: 1000 });
    view = applyHistoryPage(view, page(2, [entry("c", result("x"), live)], { settled: 2 }));
    expect(findNewerPage(view, { refresh: false })).toBeNull();
    // loaded again from the first message that may change
    expect(findNewerPage(view, { refresh: true })).toMatchObject({ offset: 2 });
    const tail = [entry("c", result("x"), live), entry("d", said("2"), live), entry("e", call("y"), live)];
    view = applyHistoryPage(view, page(2, tail, { settled: 2 }));
    expect(view.ui).toEqual(formatMessages(history));
    view = applyHistoryPage(view, page(5, [], { settled: 5 }));
    expect(view.entries.some(({ isLive }) => isLive)).toBe(false);
    expect(view.ui).toEqual(formatMessages(history));
  });

  test("[C1] a compression in between starts it again", () => {
    const view = applyHistoryPage(emptyHistoryView, page(0, history, { total: 9 }));
    const next = applyHistoryPage(view, page(5, [], { compressionId: "sum_1:0" }));
    expect(findNewerPage(next, { refresh: false })).toMatchObject({ offset: -200 });
  });

  test("[C1, U2] from the newest to the oldest: the same in the end, and in few pages", () => {
    const all = Array.from({ length: 600 }, (_, i) => [
      entry(`u${i}`, said(`Question ${i}`)),
      entry(`c${i}`, call(`x${i}`)),
      entry(`r${i}`, result(`x${i}`)),
      entry(`a${i}`, { role: "assistant", content: `Answer ${i}` }),
    ]).flat();
    const whole = { total: all.length, settled: all.length };
    const load = ({ offset, limit }: { offset: number; limit: number }) => {
      const from = offset < 0 ? all.length + offset : offset;
      return page(from, all.slice(from, from + limit), whole);
    };
    let view = applyHistoryPage(emptyHistoryView, load({ offset: -200, limit: 200 }));
    expect(findNewerPage(view, { refresh: false })).toBeNull();
    expect(sumHistory(view)).toEqual({ messages: 2400, tokens: 2000, isEstimate: true, isPartial: true });
    let pages = 1;
    for (let query = findEarlierPage(view); query !== null; query = findEarlierPage(view)) {
      expect(query.limit).toBeLessThanOrEqual(1000);
      view = applyHistoryPage(view, load(query));
      pages++;
    }
    expect(pages).toBeLessThanOrEqual(6);
    expect(view.ui).toEqual(formatMessages(all));
    expect(sumHistory(view)).toEqual({ messages: 2400, tokens: 24_000, isEstimate: true, isPartial: false });
  });

  test("[C1] a result whose call is not loaded yet is neither shown alone nor taken for a repair", () => {
    const view = applyHistoryPage(emptyHistoryView, page(2, history.slice(2)));
    const rows = toContextRows(view, { showsReplaced: false });
    expect(rows.map((row) => (row.kind === "message" ? [row.entry.id, row.changes.map(({ type }) => type)] : row.kind))).toEqual([
      ["d", []],
      ["e", ["added-result"]],
    ]);
    expect(hasEarlierRows(view, { showsReplaced: false })).toBe(true);
    const full = applyHistoryPage(view, page(0, history.slice(0, 2), { total: 5, settled: 5 }));
    expect(full.ui).toEqual(formatMessages(history));
    // a row keeps its key, and with it its place and whether it is open
    const keys = (one: typeof view) => toContextRows(one, { showsReplaced: false }).map(({ key }) => key);
    expect(keys(full).slice(-2)).toEqual(keys(view));
    expect(hasEarlierRows(full, { showsReplaced: false })).toBe(false);
  });
});

describe("rows of the pane", () => {
  test("[C1] a result is with its call, with what became of it", () => {
    const pruned = entry("c", result("x"), { pruned: [{ toolCallId: "x", before: 900, after: 20 }] });
    const view = applyHistoryPage(
      emptyHistoryView,
      page(0, [history[0] as HistoryEntry, history[1] as HistoryEntry, pruned, ...history.slice(3)]),
    );
    const rows = toContextRows(view, { showsReplaced: false });
    expect(rows.map((row) => (row.kind === "message" ? row.entry.id : row.kind))).toEqual(["a", "b", "d", "e"]);
    expect(rows[1]).toMatchObject({
      changes: [],
      results: new Map([[0, { entry: pruned, changes: [{ type: "pruned", before: 900, after: 20 }] }]]),
    });
    expect(rows[3]).toMatchObject({ changes: [{ type: "added-result", toolCallId: "y" }] });
    const running = applyHistoryPage(emptyHistoryView, page(0, [...history.slice(0, 4), entry("e", call("y"), { isLive: true })]));
    expect(toContextRows(running, { showsReplaced: false })[3]).toMatchObject({ changes: [] });
  });

  test("[C1] what a summary replaces is hidden until it is opened", () => {
    const summary = {
      id: "sum_1",
      startMessageId: "a",
      summary: "S",
      messageCount: 3,
      originalTokenCount: 30,
      summaryTokenCount: 4,
      model: "m",
      createdAt: 1,
    } as HistoryPage["summary"];
    const entries = history.map((one, i) => ({ ...one, isSummarized: i < 3 }));
    const view = applyHistoryPage(emptyHistoryView, page(0, entries, { summary, compressionId: "sum_1:0" }));
    const keys = (showsReplaced: boolean) =>
      toContextRows(view, { showsReplaced }).map((row) => (row.kind === "message" ? row.entry.id : row.kind));
    expect(keys(false)).toEqual(["summary", "d", "e"]);
    expect(keys(true)).toEqual(["summary", "a", "b", "d", "e"]);
    expect(sumHistory(view)).toEqual({ messages: 5, tokens: 24, isEstimate: true, isPartial: false });
    // with the end of what it replaces loaded, everything that a request contains is loaded
    const part = applyHistoryPage(emptyHistoryView, page(2, entries.slice(2), { summary, compressionId: "sum_1:0" }));
    expect(toContextRows(part, { showsReplaced: false }).map((row) => row.kind)).toEqual(["summary", "message", "message"]);
    expect(hasEarlierRows(part, { showsReplaced: false })).toBe(false);
    expect(hasEarlierRows(part, { showsReplaced: true })).toBe(true);
    expect(sumHistory(part)).toEqual({ messages: 5, tokens: 24, isEstimate: true, isPartial: false });
  });
});
