import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
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

  test.each(["from", "to"] as const)(
    "[X10] a second process that swaps a folder to copy %s gets nothing read or written elsewhere",
    async (side) => {
      const outside = newFolder();
      mkdirSync(join(outside, "deep"));
      for (let index = 0; index < 20; index++) {
        write(from, `conf/deep/${index}.txt`, "mine");
        if (side === "from") write(outside, `deep/${index}.txt`, "secret");
      }
      mkdirSync(join(to, "conf/deep"), { recursive: true });
      const swap = `const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
      const attempt = (step) => { try { step(); } catch {} };
      for (let turn = 0; ; turn++) {
        attempt(() => renameSync("conf", "away"));
        attempt(() => symlinkSync(${JSON.stringify(outside)}, "conf"));
        attempt(() => unlinkSync("conf"));
        attempt(() => renameSync("away", "conf"));
        if (turn === 0) console.log("swapping");
      }`;
      const child = spawn(process.execPath, ["-e", swap], { cwd: side === "from" ? from : to, stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child.stdout, "data");
      const copies: string[] = [];
      // on a busy machine a second may pass without a moment in which the folder is there
      const hasCopied = () => side === "to" || copies.some((copy) => existsSync(join(copy, "conf/deep/0.txt")));
      for (const until = Date.now() + 1000; Date.now() < until || !hasCopied(); ) {
        const target = side === "from" ? newFolder() : to;
        if (side === "from") copies.push(target);
        await copyFiles({ from, to: target, patterns: ["conf/**"] }).catch((error: NodeJS.ErrnoException) => {
          if (!["ENOENT", "ENOTDIR", "ELOOP"].includes(error.code ?? "")) throw error;
        });
      }
      child.kill("SIGKILL");
      const copied = copies.flatMap((copy) =>
        existsSync(join(copy, "conf/deep"))
          ? readdirSync(join(copy, "conf/deep")).map((name) => readFileSync(join(copy, "conf/deep", name), "utf8"))
          : [],
      );
      expect(copied.filter((text) => text !== "mine")).toEqual([]);
      if (side === "to") expect(readdirSync(join(outside, "deep"))).toEqual([]);
      else expect(copied.length).toBeGreaterThan(0);
    },
  );

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
    expect(problems).toContainEqual({ code: "copy-outside", path: "link" });
    expect(problems).toContainEqual({ code: "copy-outside", path: "conf/a.txt" });
  });
});
