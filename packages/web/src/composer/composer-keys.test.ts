import { describe, expect, it } from "vitest";
import { composerAction } from "./composer-keys.ts";

const key = (name: string, changes: object = {}) => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
  ...changes,
});

describe("composerAction", () => {
  it.each([
    ["Enter", {}, false, "send"],
    ["Enter", { shiftKey: true }, false, "none"],
    ["Enter", {}, true, "send"],
    ["Enter", { metaKey: true }, true, "steer"],
    ["Enter", { ctrlKey: true }, true, "steer"],
    ["Enter", { ctrlKey: true }, false, "send"],
    ["Enter", { isComposing: true }, false, "none"],
    ["Escape", {}, true, "stop"],
    ["Escape", {}, false, "leave"],
    ["Escape", { isComposing: true }, true, "none"],
    ["a", {}, true, "none"],
  ] as const)("%s %o while executing=%s: %s", (name, changes, isExecuting, action) => {
    expect(composerAction(key(name, changes), { isExecuting, isAsked: false })).toBe(action);
  });

  it("[E10] Escape leaves the field while the agent waits for an answer: the keys of the answer are one key away, and nothing is stopped", () => {
    expect(composerAction(key("Escape"), { isExecuting: true, isAsked: true })).toBe("leave");
  });
});
