import { expect, it } from "vitest";
import { parseTags } from "./parse-tags.ts";

it("reads tags separated by commas of either width, each once", () => {
  expect(parseTags(" web, bug，web ,, ")).toEqual(["web", "bug"]);
  expect(parseTags("")).toEqual([]);
});
