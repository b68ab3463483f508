import type { AttemptDiff } from "@skein/contracts";
import { expect, it } from "vitest";
import { toCommitRequest } from "./to-commit-request.ts";

const files = [
  { filePath: "a.ts", newId: "aaaa" },
  { filePath: "gone.ts", newId: "" },
  { filePath: "c.ts", newId: "cccc" },
] as unknown as AttemptDiff["files"];
const request = (message: string, ...left: string[]) => toCommitRequest({ message, files, left: new Set(left) });

it("[G2] a commit of all files names none, one of some files names them as they were listed", () => {
  expect(request(" All ")).toEqual({ message: "All" });
  expect(request("Some", "c.ts")).toEqual({ message: "Some", files: [{ path: "a.ts", contentId: "aaaa" }, { path: "gone.ts" }] });
});

it("[G2] there is nothing to commit without a message, or without a file", () => {
  expect([request("  "), request("None", "a.ts", "gone.ts", "c.ts")]).toEqual([null, null]);
});
