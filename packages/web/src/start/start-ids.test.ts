import { expect, it } from "vitest";
import { createStartIds } from "./start-ids.ts";

it("[E2] the same start has the same id until it was done, another one has another", () => {
  let count = 0;
  const { idOf, settle } = createStartIds(() => `id-${++count}`);
  expect([{ message: "a" }, { message: "b" }, { message: "a" }].map(idOf)).toEqual(["id-1", "id-2", "id-1"]);
  settle({ message: "a" });
  expect([{ message: "b" }, { message: "a" }].map(idOf)).toEqual(["id-2", "id-3"]);
});
