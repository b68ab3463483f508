import type { GitHooks } from "@skein/contracts";
import { expect, it } from "vitest";
import { toHooksPlan } from "./to-hooks-plan.ts";

const read = (trust: GitHooks["trust"], ...names: string[]) => ({ hooks: names.map((name) => ({ name, text: "" })), trust });

it("[G2] before a commit or a push, its own hooks are named if they are trusted", () => {
  const hooks = read("trusted", "pre-commit", "commit-msg", "pre-push");
  expect(toHooksPlan(hooks, "commit")).toEqual({ kind: "run", names: ["pre-commit", "commit-msg"] });
  expect(toHooksPlan(hooks, "push")).toEqual({ kind: "run", names: ["pre-push"] });
  expect(toHooksPlan(read("trusted", "pre-push"), "commit")).toEqual({ kind: "none" });
});

it("[G2, X8] hooks that are not trusted, or have changed since, will not run", () => {
  expect(toHooksPlan(read("none", "pre-commit"), "commit")).toEqual({ kind: "not-trusted" });
  expect(toHooksPlan(read("changed", "pre-commit"), "commit")).toEqual({ kind: "changed" });
  expect(toHooksPlan(read("none"), "commit")).toEqual({ kind: "none" });
});
