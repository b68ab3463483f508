import { homedir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { resolveHome } from "./home.ts";

it("is the flag, else SKEIN_HOME, else ~/.skein", () => {
  expect(resolveHome("/flag", { SKEIN_HOME: "/env" })).toBe("/flag");
  expect(resolveHome(undefined, { SKEIN_HOME: "/env" })).toBe("/env");
  expect(resolveHome(undefined, {})).toBe(path.join(homedir(), ".skein"));
  expect(resolveHome(undefined, { SKEIN_HOME: "" })).toBe(path.join(homedir(), ".skein"));
});

it("expands ~ to the user's home folder, and only where it stands alone", () => {
  expect(resolveHome("~/data", {})).toBe(path.join(homedir(), "data"));
  expect(resolveHome("/data/~x", {})).toBe("/data/~x");
  expect(resolveHome("~x", {})).toBe(path.resolve("~x"));
});
