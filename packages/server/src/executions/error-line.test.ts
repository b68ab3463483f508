import { expect, test } from "vitest";
import { toErrorLine } from "./error-line.ts";

test.each([
  ["", ""],
  ["warming up\nno such model\n", "no such model"],
  [
    "file:///x.ts:1\n  throw e;\n  ^\n\nTypeError: x is not a function\n    at main (file:///x.ts:1)\n\nNode.js v24.21.0\n",
    "TypeError: x is not a function",
  ],
  ["fatal: not a git repository\nhint: try again\n", "fatal: not a git repository"],
])("the most informative line of %j", (stderr, line) => {
  expect(toErrorLine(stderr)).toBe(line);
});
