import { growsLinearly } from "@skein/testkit/hostile";
import { describe, expect, it } from "vitest";
import { listPythonImports, loadsComputedNames, removeHarmless } from "../loaded-files/scan-text.ts";
import { coversCommand, toCommandGrant } from "./command-grants.ts";
import { readPlainCommands } from "./plain-commands.ts";

type Build = (count: number) => string;

/** Commands that a model may write. Texts longer than 10,000 characters are not parsed at all. */
const commands: [string, Build][] = [
  ["spaces behind a command", (count) => `ls${" ".repeat(count)}\u00e4`],
  ["line ends behind a command", (count) => `ls;${"\n".repeat(count)};`],
  ["spaces between commands", (count) => `ls${" ".repeat(count)}&& ls`],
  ["words", (count) => `ls ${"a ".repeat(count / 2)}`],
  ["options with values", (count) => `ls ${"--a=b=c ".repeat(count / 8)}`],
  ["one long word", (count) => `ls ${"a".repeat(count)}`],
  ["one long word in quotes", (count) => `ls "${"a\\$".repeat(count / 3)}"`],
  ["an open quote", (count) => `ls "${"a'".repeat(count / 2)}`],
  ["redirections", (count) => `ls ${"2>&1 ".repeat(count / 5)}`],
];

/** What a repository may contain in a script or program that trust covers. */
const files: [string, Build][] = [
  ["open imports", (count) => "from a import (\n".repeat(count / 16)],
  ["imports", (count) => "import a, b\n".repeat(count / 12)],
  ["spaces before imports", (count) => `${" ".repeat(count)}x import`],
  ["redirections", (count) => "> ".repeat(count / 2)],
  ["spaces behind a redirection", (count) => `>${" ".repeat(count)}`],
  ["conditions", (count) => "if ".repeat(count / 3)],
  ["calls", (count) => "import (  ".repeat(count / 10)],
  ["open strings", (count) => 'import("a'.repeat(count / 9)],
  ["loops", (count) => `for ${"x ".repeat(count / 2)}`],
];

const place = { directory: import.meta.dirname };
const judge = (text: string): void => {
  readPlainCommands(text);
  toCommandGrant("bash", text, place);
  coversCommand([{ type: "command", tool: "bash", command: "npm test" }], text, place);
};
const scan = (text: string): void => {
  removeHarmless(text);
  listPythonImports(text);
  for (const kind of ["module", "python", "script"] as const) loadsComputedNames(text, kind);
};

describe("[X19] texts that an agent or a repository chooses", () => {
  it.each(files)("%s in a file of 100 kB take linear time", (_name, build) => {
    const built = new Map([16_000, 128_000].map((count) => [count, build(count)]));
    expect(growsLinearly((count) => scan(built.get(count) ?? ""), { size: 16_000 })).toBe(true);
  });

  it.each(commands)("%s as a command take linear time", (_name, build) => {
    const built = new Map([1200, 9600].map((count) => [count, build(count)]));
    expect(growsLinearly((count) => judge(built.get(count) ?? ""), { size: 1200 })).toBe(true);
  });

  it.each(commands)("%s as a command of 100 kB is not read, and never allowed", (_name, build) => {
    expect(readPlainCommands(build(100_000))).toBeUndefined();
    expect(toCommandGrant("bash", build(100_000), place)).toBeUndefined();
  });
});
