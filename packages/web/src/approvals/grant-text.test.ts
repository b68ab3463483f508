import { expect, it } from "vitest";
import { toGrantText } from "./grant-text.ts";

it("[X6] what “always” would allow names the characters that cannot be seen", () => {
  expect(toGrantText({ tool: "bash", commandPrefix: "git\u200b status" })).toEqual({ tool: "bash", command: "git[U+200B] status" });
  expect(toGrantText({ tool: "write", commandPrefix: null })).toEqual({ tool: "write", command: null });
});
