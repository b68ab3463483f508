import type { Attempt, AttemptId } from "@skein/contracts";
import { expect, test } from "vitest";
import { findShownAttempt, toTaskSearch } from "./task-search.ts";

const toAttempt = (id: string, active = false) => ({ id: id as AttemptId, active }) as Attempt;
const [first, second, third] = [toAttempt("att_1"), toAttempt("att_2", true), toAttempt("att_3")];

test("the attempt that the address names is shown, else the active one, else the newest", () => {
  expect(findShownAttempt([first, second, third], first.id)).toBe(first);
  expect(findShownAttempt([first, second, third], undefined)).toBe(second);
  expect(findShownAttempt([first, second, third], "att_gone" as AttemptId)).toBe(second);
  expect(findShownAttempt([first, third], undefined)).toBe(third);
  expect(findShownAttempt([], undefined)).toBeUndefined();
});

test("the address names neither the active attempt nor the conversation", () => {
  expect(toTaskSearch({ attempt: second.id, view: "conversation" }, second.id)).toEqual({});
  expect(toTaskSearch({ attempt: first.id, view: "changes" }, second.id)).toEqual({ attempt: first.id, view: "changes" });
  expect(toTaskSearch({ attempt: undefined, view: "files" }, second.id)).toEqual({ view: "files" });
});
