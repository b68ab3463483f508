import { afterEach, describe, expect, it, vi } from "vitest";
import { exitCode } from "./exit-code.ts";
import { createProgram, runProgram } from "./program.ts";

afterEach(() => vi.restoreAllMocks());

/** The options that a command line sets; the command is not run. */
async function parse(...args: string[]): Promise<Record<string, unknown>> {
  let chosen = 0;
  const program = createProgram(() => chosen++);
  await program.parseAsync(args, { from: "user" });
  expect(chosen).toBe(1);
  return program.commands.find((command) => command.name() === args[0])?.opts() ?? {};
}

describe("flags", () => {
  it("serve leaves out options that were not given, so that environment and config apply", async () => {
    expect(await parse("serve")).toEqual({ open: true });
    expect(await parse("serve", "--port", "0", "--host", "::1", "--no-open", "--behind-proxy")).toEqual({
      port: 0,
      host: "::1",
      open: false,
      behindProxy: true,
    });
  });

  it("run uses the current folder and a worktree by default", async () => {
    expect(await parse("run", "do it")).toEqual({ repo: "." });
    expect(
      await parse("run", "-", "--agent", "native", "--model", "scripted/demo", "--permission-mode", "ask", "--in-place", "--json"),
    ).toEqual({ agent: "native", model: "scripted/demo", permissionMode: "ask", inPlace: true, json: true, repo: "." });
  });

  it("[C3] context shows the model's own format by default", async () => {
    expect(await parse("context", "att_1")).toEqual({});
    expect(await parse("context", "att_1", "--provider", "gemini", "--json")).toEqual({ provider: "gemini", json: true });
  });

  it.each([
    ["agents"],
    ["agents", "list"],
    ["agents", "--json"],
    ["agents", "catalogue"],
    ["agents", "add", "qwen-code"],
    ["agents", "sessions", "opencode"],
  ])("%s %s is a command", async (...args) => {
    await parse(...args);
  });

  it("export writes JSON by default", async () => {
    expect(await parse("export", "att_1")).toEqual({ format: "json", word: [], keep: [] });
  });
});

describe("usage errors", () => {
  it.each([
    ["an unknown command", ["frobnicate"]],
    ["an unknown flag", ["serve", "--frobnicate"]],
    ["a missing prompt", ["run"]],
    ["a port out of range", ["serve", "--port", "65536"]],
    ["a port that is not a number", ["serve", "--port", "4e3"]],
    ["an unknown permission mode", ["run", "x", "--permission-mode", "yolo"]],
    ["an id of something else", ["export", "nonsense"]],
  ])("%s ends with exit code 2 and a message on standard error", async (_name, args) => {
    const written: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
    vi.spyOn(console, "error").mockImplementation((text) => void written.push(String(text)));
    expect(await runProgram(args)).toBe(exitCode.usage);
    expect(written.join("")).not.toBe("");
  });

  it("--help and --version are no errors", async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await runProgram(["--help"])).toBe(exitCode.success);
    expect(await runProgram(["run", "--help"])).toBe(exitCode.success);
    expect(await runProgram(["--version"])).toBe(exitCode.success);
  });
});
