import type { Task, TaskId } from "@skein/contracts";
import { expect, test } from "vitest";
import { en } from "../i18n/en.ts";
import { listMoved, toMoveMessage } from "./card-moves.ts";

const toTask = (id: string, status: Task["status"]) => ({ id: id as TaskId, title: id.toUpperCase(), status }) as Task;
const [a, b, c] = [toTask("a", "todo"), toTask("b", "todo"), toTask("c", "done")];
const columns = [
  { status: "todo" as const, tasks: [a, b], active: new Set<TaskId>() },
  { status: "done" as const, tasks: [c], active: new Set<TaskId>() },
];

test("a selected card takes the other selected ones with it, in the order of the board; another card moves alone", () => {
  const selected = new Set([c.id, a.id]);
  expect(listMoved(columns, c.id, selected)).toEqual([a, c]);
  expect(listMoved(columns, b.id, selected)).toEqual([b]);
});

test("only a move to another column has a toast", () => {
  expect(toMoveMessage([a], { status: "done", index: 0 }, en)).toEqual({ announcement: "", toast: en.board.moved("A", en.status.done) });
  expect(toMoveMessage([a, b], { status: "todo", index: 2 }, en)).toEqual({
    announcement: en.board.reordered(en.board.count(2), 3),
    toast: undefined,
  });
});
