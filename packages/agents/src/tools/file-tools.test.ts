import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolFixture, type ToolFixture } from "./tool-fixture.ts";

let fixture: ToolFixture;
beforeEach(async () => {
  fixture = await createToolFixture({ "a.txt": "one\ntwo\nthree\n", "src/b.ts": "export const b = 1;\n" });
});
afterEach(() => fixture.remove());
const onDisk = (name: string) => readFile(join(fixture.root, name), "utf8");

describe("read", () => {
  test("[N3] returns numbered lines and how to read the next ones", async () => {
    expect(await fixture.call("read", { path: "a.txt", limit: 2 })).toEqual({
      output: "     1\tone\n     2\ttwo\n(lines 1 to 2 of 3; read on with offset 3)",
      state: "completed",
      structured: { filePath: "a.txt", content: "one\ntwo", startLine: 1, totalLines: 3 },
    });
    expect((await fixture.call("read", { path: "a.txt", offset: 3 })).output).toBe("     3\tthree");
    expect(await fixture.call("read", { path: "a.txt", offset: 4 })).toMatchObject({ state: "failed" });
  });

  test("[N3] a file of many long lines is bounded, and no pair is cut", async () => {
    await writeFile(join(fixture.root, "long.txt"), `${"x".repeat(1999)}😀y\n`.repeat(500));
    const { output, structured } = await fixture.call("read", { path: "long.txt" });
    expect(output.length).toBeLessThan(300_000);
    expect(output).toMatch(/read on with offset \d+/);
    expect(output.isWellFormed()).toBe(true);
    expect(structured).toMatchObject({ totalLines: 500 });
  });

  test("binary files, folders, missing and empty files are described", async () => {
    await writeFile(join(fixture.root, "bin"), Buffer.from([1, 0, 2]));
    await writeFile(join(fixture.root, "latin"), Buffer.from([0x66, 0xfc, 0x72]));
    await writeFile(join(fixture.root, "empty"), "");
    expect((await fixture.call("read", { path: "bin" })).output).toMatch(/not a text file/);
    expect((await fixture.call("read", { path: "latin" })).output).toMatch(/not a text file/);
    expect((await fixture.call("read", { path: "src" })).output).toMatch(/is a folder/);
    expect((await fixture.call("read", { path: "nope" })).output).toMatch(/does not exist/);
    expect(await fixture.call("read", { path: "empty" })).toMatchObject({ output: "(the file is empty)", state: "completed" });
  });

  test("[X10] nothing outside is read", async () => {
    await symlink("/etc/passwd", join(fixture.root, "link"));
    for (const path of ["/etc/passwd", "../../etc/passwd", "link"]) {
      expect(await fixture.call("read", { path })).toMatchObject({ state: "failed", output: expect.stringContaining("outside") });
    }
  });
});

describe("write", () => {
  test("creates a file with missing folders, and replaces one keeping its mode", async () => {
    expect(await fixture.call("write", { path: "new/deep/c.txt", content: "hi\n" })).toEqual({
      output: "Created new/deep/c.txt.",
      state: "completed",
      structured: { filePath: "new/deep/c.txt", created: true, oldContent: null, newContent: "hi\n" },
    });
    await chmod(join(fixture.root, "a.txt"), 0o755);
    expect(await fixture.call("write", { path: "a.txt", content: "x" })).toMatchObject({
      structured: { created: false, oldContent: "one\ntwo\nthree\n", newContent: "x" },
    });
    expect((await stat(join(fixture.root, "a.txt"))).mode & 0o777).toBe(0o755);
    expect(await readdir(fixture.root)).toEqual([".git", "a.txt", "new", "src"]);
  });

  test("[N3] a file may have as long a name as the system allows, in any script", async () => {
    for (const path of [`${"字".repeat(84)}.ts`, "x".repeat(255)]) {
      expect(await fixture.call("write", { path, content: "1\n" })).toMatchObject({ state: "completed" });
      expect(await fixture.call("edit", { path, oldText: "1", newText: "2" })).toMatchObject({ state: "completed" });
    }
  });

  test("a folder is not replaced by a file", async () => {
    expect(await fixture.call("write", { path: "src", content: "" })).toMatchObject({ state: "failed" });
    expect(await fixture.call("write", { path: ".", content: "" })).toMatchObject({ state: "failed" });
  });

  test("[X10] nothing outside and nothing protected is written without an approval that names it", async () => {
    expect(await fixture.call("write", { path: "../x", content: "" })).toMatchObject({ state: "failed" });
    const hook = { path: ".git/hooks/post-checkout", content: "#!/bin/sh\n" };
    expect(await fixture.call("write", hook)).toMatchObject({ state: "failed", output: expect.stringContaining("belongs to git") });
    expect(await readdir(join(fixture.root, ".git/hooks"))).not.toContain("post-checkout");
    expect(await fixture.call("write", hook, { protectedAllowed: true })).toMatchObject({ state: "completed" });
  });

  test("a large file is described by its patch", async () => {
    const content = Array.from({ length: 40_000 }, (_, i) => `line ${i}`).join("\n");
    await writeFile(join(fixture.root, "large.txt"), content);
    const { structured } = await fixture.call("edit", { path: "large.txt", oldText: "line 20000\n", newText: "changed\n" });
    expect(structured).toMatchObject({ filePath: "large.txt", patch: expect.stringContaining("+changed") });
    expect(structured).not.toHaveProperty("oldContent");
  });
});

describe("edit", () => {
  test("replaces the one exact occurrence", async () => {
    expect(await fixture.call("edit", { path: "a.txt", oldText: "two", newText: "2 $& $1" })).toMatchObject({
      state: "completed",
      structured: { filePath: "a.txt", oldContent: "one\ntwo\nthree\n", newContent: "one\n2 $& $1\nthree\n" },
    });
    expect(await onDisk("a.txt")).toBe("one\n2 $& $1\nthree\n");
  });

  test("several places are reported with their lines, and replaced on request", async () => {
    await writeFile(join(fixture.root, "m.txt"), "x\ny\nx\n");
    const several = await fixture.call("edit", { path: "m.txt", oldText: "x", newText: "z" });
    expect(several).toMatchObject({ state: "failed", output: expect.stringContaining("2 times, at lines 1, 3") });
    expect(await onDisk("m.txt")).toBe("x\ny\nx\n");
    await fixture.call("edit", { path: "m.txt", oldText: "x", newText: "z", replaceAll: true });
    expect(await onDisk("m.txt")).toBe("z\ny\nz\n");
  });

  test("text that is not found is answered with the most similar line", async () => {
    const result = await fixture.call("edit", { path: "src/b.ts", oldText: "export const b = 2;", newText: "" });
    expect(result.output).toContain("most similar line is 1:\nexport const b = 1;");
    expect((await fixture.call("edit", { path: "a.txt", oldText: "", newText: "x" })).state).toBe("failed");
    expect((await fixture.call("edit", { path: "a.txt", oldText: "one", newText: "one" })).state).toBe("failed");
    expect((await fixture.call("edit", { path: "nope", oldText: "a", newText: "b" })).output).toMatch(/does not exist/);
  });

  test("line ends, byte order mark and mode stay", async () => {
    await writeFile(join(fixture.root, "dos.txt"), "\uFEFFone\r\ntwo\r\nthree\r\n", { mode: 0o700 });
    await fixture.call("edit", { path: "dos.txt", oldText: "one\ntwo", newText: "1\n2\n2b" });
    expect(await onDisk("dos.txt")).toBe("\uFEFF1\r\n2\r\n2b\r\nthree\r\n");
    expect((await stat(join(fixture.root, "dos.txt"))).mode & 0o777).toBe(0o700);
  });
});

describe("list and glob", () => {
  test("list shows one level, folders with a slash, without .git", async () => {
    expect(await fixture.call("list", {})).toEqual({ output: "a.txt\nsrc/", state: "completed", structured: { files: ["a.txt", "src/"] } });
    expect((await fixture.call("list", { path: "src" })).output).toBe("src/b.ts");
    await mkdir(join(fixture.root, "void"));
    expect((await fixture.call("list", { path: "void" })).output).toBe("(the folder is empty)");
    expect(await fixture.call("list", { path: ".." })).toMatchObject({ state: "failed" });
    expect(await fixture.call("list", { path: "a.txt" })).toMatchObject({ state: "failed" });
  });

  test("glob returns the newest first, without ignored files", async () => {
    await fixture.call("write", { path: "src/.gitignore", content: "*.log\n!keep.log\n" });
    for (const name of ["src/x.log", "src/keep.log", "out/y.ts", "src/c.ts"]) await fixture.call("write", { path: name, content: "" });
    await fixture.call("write", { path: ".gitignore", content: "out/\n" });
    await utimes(join(fixture.root, "src/b.ts"), 2_000_000_000, 2_000_000_000);
    expect((await fixture.call("glob", { pattern: "**/*.ts" })).structured).toEqual({ files: ["src/b.ts", "src/c.ts"] });
    expect((await fixture.call("glob", { pattern: "*.log", path: "src" })).structured).toEqual({ files: ["src/keep.log"] });
    expect((await fixture.call("glob", { pattern: "*.none" })).output).toBe("(no file matches)");
  });

  test("[X10] neither follows a symlink out", async () => {
    await symlink("/etc", join(fixture.root, "etc"));
    expect((await fixture.call("glob", { pattern: "**/*" })).structured).toEqual({ files: expect.not.arrayContaining(["etc/passwd"]) });
    expect(await fixture.call("list", { path: "etc" })).toMatchObject({ state: "failed" });
  });
});

describe("todo", () => {
  test("returns the list and the previous one, also from an earlier execution", async () => {
    const first = [{ text: "a", status: "pending" as const }];
    const second = [{ text: "a", status: "completed" as const }];
    const result = { type: "tool-result" as const, toolCallId: "c", toolName: "todo", input: { items: first }, result: "" };
    const continued = await createToolFixture({}, [{ id: 1, body: { role: "tool", content: [result] } }]);
    expect(await continued.call("todo", { items: second })).toEqual({
      output: "[x] a",
      state: "completed",
      structured: { items: second, previous: first },
    });
    await continued.remove();
  });
});

test("invalid arguments are answered with the error", async () => {
  expect(await fixture.call("read", { file: "a.txt" })).toMatchObject({ state: "failed", output: expect.stringContaining("path") });
});

test("every tool describes its arguments as a JSON Schema of an object", () => {
  for (const { definition } of fixture.tools) {
    expect(definition.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(definition.description.length).toBeGreaterThan(40);
  }
});
