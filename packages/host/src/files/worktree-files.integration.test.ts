import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readBlob } from "../git/read-blob.ts";
import { openRepository } from "../git/repository.fixture.ts";
import { createPathLists } from "./list-paths.ts";
import { readFile, readFolder } from "./read-worktree.ts";

const makePipe = "mkfifo";
const newFolder = () => realpathSync(mkdtempSync(join(tmpdir(), "skein-files-")));

function newWorktree(): string {
  const root = newFolder();
  mkdirSync(join(root, "src/deep"), { recursive: true });
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/config"), "[secret]");
  writeFileSync(join(root, "b.txt"), "text\n");
  writeFileSync(join(root, "src/deep/a.ts"), "export {};\n");
  return root;
}

describe("reading the files of an attempt", () => {
  test("a folder lists folders first, and never .git", async () => {
    const root = newWorktree();
    symlinkSync("src", join(root, "link"));
    expect(await readFolder(root, ".")).toEqual({
      path: ".",
      entries: [
        { name: "link", path: "link", kind: "folder" },
        { name: "src", path: "src", kind: "folder" },
        { name: "b.txt", path: "b.txt", kind: "file" },
      ],
      truncated: false,
    });
    expect((await readFolder(root, "src/deep")).entries).toEqual([{ name: "a.ts", path: "src/deep/a.ts", kind: "file" }]);
  });

  test("[X10] paths outside the folder and in .git are rejected, however they are written", async () => {
    const root = newWorktree();
    const outside = newFolder();
    writeFileSync(join(outside, "secret.txt"), "secret");
    mkdirSync(`${root}-evil`);
    writeFileSync(`${root}-evil/secret.txt`, "secret");
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(root, ".git"), join(root, "innocent"));
    const ways = [
      join(outside, "secret.txt"),
      "out/secret.txt",
      "../secret.txt",
      `${root}-evil/secret.txt`,
      ".git/config",
      "src/../.git/config",
      "innocent/config",
      "b.txt\0",
      "nowhere.txt",
      "src",
    ];
    for (const path of ways) await expect(readFile(root, path), path).rejects.toMatchObject({ kind: "not-found" });
    for (const path of ["..", "out", ".git", "innocent", "/", "b.txt"])
      await expect(readFolder(root, path), path).rejects.toMatchObject({ kind: "not-found" });
  });

  test("returns texts, truncated long texts, images, and only the size of other files", async () => {
    const root = newWorktree();
    expect(await readFile(root, "b.txt")).toEqual({ kind: "text", path: "b.txt", size: 5, content: "text\n", truncated: false });
    writeFileSync(join(root, "long.txt"), `${"x".repeat(1024 * 1024 - 1)}é and more`);
    const long = await readFile(root, "long.txt");
    expect(long).toMatchObject({ kind: "text", truncated: true, content: "x".repeat(1024 * 1024 - 1) });
    writeFileSync(join(root, "bytes.bin"), Buffer.from([1, 0, 2]));
    expect(await readFile(root, "bytes.bin")).toEqual({ kind: "binary", path: "bytes.bin", size: 3 });
    writeFileSync(join(root, "dot.PNG"), Buffer.from([137, 80, 0]));
    expect(await readFile(root, "dot.PNG")).toMatchObject({ kind: "image", mediaType: "image/png", data: "iVAA" });
    writeFileSync(join(root, "empty.txt"), "");
    expect(await readFile(root, "empty.txt")).toMatchObject({ kind: "text", content: "", truncated: false });
  });

  test("[X10] a pipe does not block the server", async () => {
    const root = newWorktree();
    execFileSync(makePipe, [join(root, "pipe")]);
    await expect(readFile(root, "pipe")).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("the paths of a repository", () => {
  test("lists tracked and new files and their folders, without ignored ones; cached for a while", async () => {
    const root = newFolder();
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    mkdirSync(join(root, "src/deep"), { recursive: true });
    writeFileSync(join(root, ".gitignore"), "*.log\n");
    writeFileSync(join(root, "a.log"), "");
    writeFileSync(join(root, "src/deep/名 x.ts"), "");
    execFileSync("git", ["add", ".gitignore"], { cwd: root });
    let time = 0;
    const lists = createPathLists(() => time);
    const list = (directory: string) => lists(directory, () => openRepository(directory));
    const expected = ["src/deep/", "src/", ".gitignore", "src/deep/名 x.ts"];
    expect([...(await list(root))].sort()).toEqual([...expected].sort());
    writeFileSync(join(root, "new.ts"), "");
    expect(await list(root)).toHaveLength(4);
    time = 5000;
    expect(await list(root)).toContain("new.ts");
  });

  test("a folder that is not a repository is rejected, and checked again the next time", async () => {
    const root = newFolder();
    const lists = createPathLists(() => 0);
    const list = (directory: string) => lists(directory, () => openRepository(directory));
    await expect(list(root)).rejects.toThrow();
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    expect(await list(root)).toEqual([]);
  });

  test("content that a diff names is read by its id, byte for byte and bounded; anything else is not found", async () => {
    const root = newFolder();
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    writeFileSync(join(root, "image.png"), bytes);
    const run = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@x.invalid", ...args], { cwd: root, encoding: "utf8" });
    run("init", "--quiet");
    run("add", "--all");
    run("commit", "--quiet", "--message", "first");
    const folder = await openRepository(root);
    const id = run("rev-parse", "HEAD:image.png").trim();
    expect(await readBlob(folder, id, 1000)).toEqual({ size: 512, bytes });
    expect(await readBlob(folder, id, 500)).toEqual({ size: 512, bytes: Buffer.alloc(0) });
    for (const other of [run("rev-parse", "HEAD").trim(), run("rev-parse", "HEAD^{tree}").trim(), "0".repeat(40)])
      expect(await readBlob(folder, other, 1000)).toBeNull();
  });
});
