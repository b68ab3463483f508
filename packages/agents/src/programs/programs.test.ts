import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentHint } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { describeProgram } from "./describe-program.ts";
import { findProgram } from "./find-program.ts";
import { isAtLeast } from "./read-version.ts";

function newProgram(name: string, script: string): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), "skein-program-"));
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { folder, path };
}

const needs = { program: "tool", install: "npm install -g tool", leastVersion: "2.1.9" };
const environment = { PATH: "/usr/bin:/bin" };

function describeTool(script: string, options: { command?: readonly [string, ...string[]]; problem?: AgentHint } = {}) {
  const { folder } = newProgram("tool", script);
  const findProblem = () => options.problem;
  return describeProgram({ needs: { ...needs, findProblem }, name: "Tool", command: options.command, searchPath: folder });
}

describe("the program of an agent", () => {
  it("[X7] is found by its name in the folders of PATH, never in a relative one, and not when it may not be run", () => {
    const { folder, path } = newProgram("tool", "exit 0");
    expect(findProgram("tool", `relative:${folder}`)).toBe(path);
    expect(findProgram("tool", "relative:.")).toBeUndefined();
    expect(findProgram("./tool", folder)).toBeUndefined();
    chmodSync(path, 0o644);
    expect(findProgram("tool", folder)).toBeUndefined();
    mkdirSync(join(folder, "other"));
    expect(findProgram("other", folder)).toBeUndefined();
  });

  it("that can be used reports its version and its path", async () => {
    expect(await describeTool("echo 'tool 2.1.10 (beta)'").describe({ environment, refresh: false })).toEqual({
      available: true,
      version: "2.1.10",
      path: expect.stringMatching(/tool$/),
    });
  });

  it("that cannot be used has a hint: why, and the command that fixes it", async () => {
    const hint = async (program: ReturnType<typeof describeTool>) => (await program.describe({ environment, refresh: false })).hint;
    expect(await hint(describeTool("echo 2.1.8"))).toBe("Tool 2.1.8 is too old: Skein needs 2.1.9 or newer. Run: npm install -g tool");
    expect(await hint(describeTool("echo 'Error: no licence.' >&2; exit 1"))).toBe(
      "Tool does not start: no licence. Reinstall it: npm install -g tool",
    );
    expect(
      await hint(describeTool("echo 3.0.0", { problem: { code: "agent-not-logged-in", agent: "Tool", login: { command: "tool login" } } })),
    ).toBe("Tool is not logged in. Run: tool login");
    const missing = describeProgram({ needs, name: "Tool", command: undefined, searchPath: "" });
    expect(await hint(missing)).toBe("Tool is not installed. Run: npm install -g tool");
    await expect(missing.getCommand(environment)).rejects.toThrow("Tool is not installed.");
    expect(await hint(describeTool("", { command: ["/nowhere/tool"] }))).toContain("“/nowhere/tool” in your settings");
  });

  it("[E5] that is too old is not started, and is once it was updated", async () => {
    const { folder, path } = newProgram("tool", "echo 2.1.8");
    const program = describeProgram({ needs, name: "Tool", command: undefined, searchPath: folder });
    await expect(program.getCommand(environment)).rejects.toThrow("Tool 2.1.8 is too old: Skein needs 2.1.9 or newer.");
    writeFileSync(path, "#!/bin/sh\necho 2.1.9\n");
    expect(await program.getCommand(environment)).toEqual([path]);
    // one that reports no version may still work
    writeFileSync(path, "#!/bin/sh\nexit 1\n");
    expect(await program.getCommand(environment)).toEqual([path]);
  });

  it("is asked again only on request", async () => {
    const { folder, path } = newProgram("tool", "echo 2.2.0");
    const program = describeProgram({ needs, name: "Tool", command: undefined, searchPath: folder });
    const version = async (refresh: boolean) => (await program.describe({ environment, refresh })).version;
    expect(await version(false)).toBe("2.2.0");
    writeFileSync(path, "#!/bin/sh\necho 2.3.0\n");
    expect([await version(false), await version(true)]).toEqual(["2.2.0", "2.3.0"]);
  });

  it("versions are compared number by number", () => {
    const pairs: [string, string, boolean][] = [
      ["2.1.10", "2.1.9", true],
      ["2.1.9", "2.1.9", true],
      ["2.1", "2.1.1", false],
      ["10.0.0", "9.9.9", true],
      ["2.1.9-beta.1", "2.1.9", true],
    ];
    for (const [version, least, expected] of pairs) expect([version, least, isAtLeast(version, least)]).toEqual([version, least, expected]);
  });
});
