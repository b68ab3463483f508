import { expect, it } from "vitest";
import { shortenId } from "./short-id.ts";

it("an id is shortened to its shortest unique prefix", () => {
  expect(shortenId("tsk_01k8b2xq4mabcdef", [])).toBe("tsk_01k8b2xq");
  expect(shortenId("tsk_01k8b2xq4mabcdef", ["tsk_01k8b2xq4mabcdef", "tsk_01k9ffffffffffff"])).toBe("tsk_01k8b2xq");
  expect(shortenId("tsk_01k8b2xq4mabcdef", ["tsk_01k8b2xq4mzzzzzz"])).toBe("tsk_01k8b2xq4ma");
});
