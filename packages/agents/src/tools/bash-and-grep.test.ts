import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openWorkspace } from "../workspace/workspace.ts";
import { isAlive } from "./is-alive.fixture.ts";
import { LineMatcher } from "./line-matcher.ts";
import { searchByWalking } from "./search-by-walking.ts";
import type { SearchMatch } from "./search-match.ts";
import { createToolFixture, type ToolFixture } from "./tool-fixture.ts";

let fixture: ToolFixture;
beforeEach(async () => {
  fixture = await createToolFixture({
    "a.ts": "const x = 1; // TODO\n",
    "b.md": "TODO later\nno\n",
    "skip.log": "TODO\n",
    ".gitignore": "*.log\n",
  });
});
afterEach(() => fixture.remove());

/** Resolves with the first progress that contains `text`. */
function progressWith(text: string): { seen: Promise<string>; onProgress(part: string): void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let all = "";
  return {
    seen: promise,
    onProgress(part) {
      all += part;
      if (all.includes(text)) resolve(all);
    },
  };
}

describe("bash", () => {
  test("returns both streams, joined for the model and separate for the user, and the exit code", async () => {
    expect(await fixture.call("bash", { command: "echo out; echo err >&2; exit 3" })).toMatchObject({
      output: expect.stringMatching(/^(out\nerr|err\nout)\n\[exit code 3\]$/),
      state: "failed",
      structured: { stdout: "out\n", stderr: "err\n", exitCode: 3 },
    });
    expect(await fixture.call("bash", { command: "pwd; cat" })).toMatchObject({
      output: `${fixture.root}\n[exit code 0]`,
      state: "completed",
    });
  });

  test("[X11] the command sees only the environment it is given", async () => {
    process.env.SKEIN_TEST_SECRET = "secret";
    const { output } = await fixture.call("bash", { command: "env" });
    delete process.env.SKEIN_TEST_SECRET;
    expect(output).not.toContain("secret");
  });

  test("[N3] long output is cut in its middle and kept whole in a file that read opens", async () => {
    const { output, structured } = await fixture.call("bash", { command: "echo begin; yes 😀 | head -c 200000; echo; echo end" });
    expect(output.length).toBeLessThan(34_000);
    expect(output.isWellFormed()).toBe(true);
    expect(output).toMatch(/^begin\n/);
    expect(output).toMatch(/\nend\n\[exit code 0\]$/);
    const file = (structured as { outputFile: string }).outputFile;
    expect(output).toContain(`the whole output is in ${file}`);
    const whole = await readFile(file, "utf8");
    expect(whole.startsWith("begin\n😀")).toBe(true);
    expect(Buffer.byteLength(whole)).toBe(200_000 + 11);
    expect(await fixture.call("read", { path: file, limit: 1 })).toMatchObject({ state: "completed" });
  });

  test("[N2] an abort ends the whole group at once, and reports that it may have run in part", async () => {
    const controller = new AbortController();
    const { seen, onProgress } = progressWith("started");
    const running = fixture.call("bash", { command: "sleep 300 & echo $! started; wait" }, { signal: controller.signal, onProgress });
    const pid = Number.parseInt(await seen, 10);
    expect(isAlive(pid)).toBe(true);
    controller.abort();
    expect(await running).toMatchObject({ state: "interrupted", output: expect.stringContaining("may have done part") });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });

  test("[N2] a command that ignores SIGTERM is killed", async () => {
    const result = await fixture.call("bash", { command: "trap '' TERM; echo ready; while :; do sleep 0.1; done", timeoutMs: 50 });
    expect(result).toMatchObject({
      state: "timed-out",
      output: expect.stringContaining("stopped after 50 ms"),
      structured: { exitCode: null, timedOut: true },
    });
  });

  test("background processes of a command end with it", async () => {
    const { structured } = await fixture.call("bash", { command: "sleep 300 & echo $!" });
    const pid = Number.parseInt((structured as { stdout: string }).stdout, 10);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });
});

describe("grep", () => {
  test("returns path, line and text, without ignored files", async () => {
    expect(await fixture.call("grep", { pattern: "TODO" })).toEqual({
      output: "a.ts:1: const x = 1; // TODO\nb.md:1: TODO later",
      state: "completed",
      structured: {
        matches: [
          { filePath: "a.ts", line: 1, text: "const x = 1; // TODO" },
          { filePath: "b.md", line: 1, text: "TODO later" },
        ],
        total: 2,
      },
    });
    expect((await fixture.call("grep", { pattern: "TODO", glob: "*.md" })).structured).toMatchObject({ total: 1 });
    expect((await fixture.call("grep", { pattern: "TODO", path: "a.ts" })).structured).toMatchObject({ total: 1 });
    await fixture.call("write", { path: "src/deep/c.ts", content: "TODO\n" });
    const deep = { matches: [{ filePath: "src/deep/c.ts", line: 1, text: "TODO" }], total: 1 };
    expect((await fixture.call("grep", { pattern: "TODO", path: "src" })).structured).toEqual(deep);
    expect((await fixture.call("grep", { pattern: "TODO", path: "src", glob: "deep/*.ts" })).structured).toEqual(deep);
    expect((await fixture.call("grep", { pattern: "absent" })).output).toBe("(no matches)");
  });

  test("a pattern that begins with a dash is a pattern; a broken one is reported", async () => {
    expect((await fixture.call("grep", { pattern: "--version" })).output).toBe("(no matches)");
    expect(await fixture.call("grep", { pattern: "(" })).toMatchObject({ state: "failed" });
    expect(await fixture.call("grep", { pattern: "x", path: "../.." })).toMatchObject({ state: "failed" });
  });

  test("[N2] a pattern that takes too long is abandoned, blocks nothing, and can be stopped", async () => {
    const endless = { pattern: "^(a+)+$", path: "slow.txt" };
    await fixture.call("write", { path: "slow.txt", content: `${"a".repeat(60)}!\n` });
    const matcher = new LineMatcher(endless.pattern, { patienceMs: 100 });
    expect(await matcher.find(["aa", `${"a".repeat(60)}!`, "aa"], new AbortController().signal)).toEqual({ tooSlow: 1 });
    await matcher.close();
    const stopping = new AbortController();
    const search = fixture.call("grep", endless, { signal: stopping.signal });
    // Everything else continues meanwhile.
    expect((await fixture.call("grep", { pattern: "TODO", path: "a.ts" })).structured).toMatchObject({ total: 1 });
    stopping.abort(new Error("stopped"));
    await expect(search).rejects.toThrow("stopped");
  });

  test("[N2] many files are searched in their order, and a stop ends it between them", async () => {
    const names = Array.from({ length: 700 }, (_, i) => `many/${String(i).padStart(3, "0")}.txt`);
    await mkdir(join(fixture.root, "many"));
    for (const name of names) await writeFile(join(fixture.root, name), `first\n${name} second\n`);
    const workspace = await openWorkspace(fixture.root);
    const start = { ...(await workspace.resolve("many")), isFolder: true };
    const search = async (onMatch: (match: SearchMatch) => boolean, signal = new AbortController().signal) =>
      searchByWalking(workspace, start, { pattern: "second", glob: undefined, signal, onMatch });
    const found: SearchMatch[] = [];
    await search((match) => found.push(match) > 0);
    expect(found).toEqual(names.map((name) => ({ filePath: name, line: 2, text: `${name} second` })));

    const stopping = new AbortController();
    let seen = 0;
    const stopped = search(() => {
      if (++seen === 5) stopping.abort(new Error("stopped"));
      return true;
    }, stopping.signal);
    await expect(stopped).rejects.toThrow("stopped");
    expect(seen).toBeLessThan(names.length);
  });

  test("[N2] an abandoned search reports what to do", async () => {
    await fixture.call("write", { path: "slow.txt", content: `${"a".repeat(60)}!\n` });
    const { state, output } = await fixture.call("grep", { pattern: "^(a|a)*$", path: "slow.txt" });
    expect([state, output]).toEqual(["failed", expect.stringContaining("takes too long on slow.txt. Use a simpler one")]);
  });

  test("[X10] no symlink leads a search outside", async () => {
    await symlink("/etc", join(fixture.root, "etc"));
    expect((await fixture.call("grep", { pattern: "root" })).structured).toMatchObject({ total: 0 });
    expect(await fixture.call("grep", { pattern: "root", path: "etc" })).toMatchObject({ state: "failed" });
  });

  test("[N3] many matches are counted and bounded", async () => {
    await fixture.call("write", { path: "many.txt", content: "hit\n".repeat(1000) });
    const { output, structured } = await fixture.call("grep", { pattern: "hit" });
    expect(structured).toMatchObject({ total: 1000 });
    expect(output.split("\n")).toHaveLength(201);
    expect(output).toContain("800 further matches");
  });
});
