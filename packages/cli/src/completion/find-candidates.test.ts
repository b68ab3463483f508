import { describe, expect, it } from "vitest";
import { createProgram } from "../program.ts";
import { findCandidates } from "./find-candidates.ts";

const program = createProgram(() => {});
const valuesOf = (...words: string[]): string[] => {
  const found = findCandidates(program, words);
  return found.kind === "listed" ? found.candidates.map(({ value }) => value) : [found.kind];
};

describe("findCandidates", () => {
  it("[M2] offers commands by their beginning, not hidden ones", () => {
    expect(valuesOf("exp")).toEqual(["export"]);
    expect(valuesOf("")).toContain("serve");
    expect(valuesOf("comp")).toEqual(["completion"]);
  });

  it("[M2] offers subcommands, options, and the values of options and arguments", () => {
    expect(valuesOf("workers", "")).toEqual(["list", "invite", "drain", "activate", "remove"]);
    expect(valuesOf("export", "tsk_1", "--for")).toEqual(["--format"]);
    expect(valuesOf("export", "tsk_1", "--format", "")).toEqual(["html", "json", "markdown"]);
    expect(valuesOf("run", "--permission-mode", "a")).toEqual(["ask", "accept-edits"]);
    expect(valuesOf("completion", "z")).toEqual(["zsh"]);
    expect(valuesOf("tasks", "--h")).toEqual(["--home", "--help"]);
  });

  it("[M2] asks the server for ids, and leaves files to the shell", () => {
    expect(findCandidates(program, ["show", "--home", "/data", "01k"])).toEqual({ kind: "ids", home: "/data" });
    expect(valuesOf("waiting", "first", "")).toEqual(["ids"]);
    expect(valuesOf("run", "do it", "")).toEqual(["none"]);
    expect(valuesOf("run", "--repo", "")).toEqual([]);
  });
});
