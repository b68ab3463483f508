import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { copyFiles } from "./copy-files.ts";

const newFolder = () => realpathSync(mkdtempSync(join(tmpdir(), "skein-copy-")));
let from: string;
let to: string;
beforeEach(() => {
  from = newFolder();
  to = newFolder();
});

function write(root: string, path: string, content = path): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe("copying files into a worktree", () => {
  test("paths and patterns, with their modes; what is there already stays", async () => {
    for (const path of [".env", ".env.local", "config/a.json", "config/deep/b.json", "node_modules/x/.env", "other.txt"]) write(from, path);
    chmodSync(join(from, ".env"), 0o600);
    write(from, "run.sh");
    chmodSync(join(from, "run.sh"), 0o755);
    write(to, "config/a.json", "mine");
    const { problems } = await copyFiles({ from, to, patterns: [".env*", "run.sh", "config/**", "**/.env", "missing.txt"] });
    expect(problems).toEqual([]);
    expect([".env", ".env.local", "config/deep/b.json", "run.sh"].filter((path) => !existsSync(join(to, path)))).toEqual([]);
    expect(readFileSync(join(to, "config/a.json"), "utf8")).toBe("mine");
    expect([statSync(join(to, ".env")).mode & 0o777, statSync(join(to, "run.sh")).mode & 0o777]).toEqual([0o600, 0o755]);
    expect([existsSync(join(to, "node_modules")), existsSync(join(to, "other.txt"))]).toEqual([false, false]);
  });

  test("[X10] nothing from outside the repository, and nothing to outside the worktree", async () => {
    const outside = newFolder();
    write(outside, "secret");
    symlinkSync(join(outside, "secret"), join(from, "link"));
    symlinkSync(outside, join(from, "folder"));
    write(from, "conf/a.txt");
    symlinkSync(outside, join(to, "conf"));
    const { problems } = await copyFiles({
      from,
      to,
      patterns: ["link", "folder/secret", "folder/*", "conf/*", "../*", join(outside, "*")],
    });
    expect(existsSync(join(to, "link"))).toBe(false);
    expect(existsSync(join(to, "folder"))).toBe(false);
    expect(existsSync(join(outside, "a.txt"))).toBe(false);
    expect(problems).toContain("“link” leads out of the repository and was not copied.");
    expect(problems).toContain("“conf/a.txt” leads out of the repository and was not copied.");
  });
});
