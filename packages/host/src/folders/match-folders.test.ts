import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findRepositories } from "./find-repositories.ts";
import { matchFolders } from "./match-folders.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skein-folders-")));
});
afterEach(() => rmSync(root, { recursive: true }));

const make = (...paths: string[]) => {
  for (const path of paths) mkdirSync(join(root, path), { recursive: true });
};
const names = async (typed: string, limit = 50) =>
  (await matchFolders(join(root, typed) + (typed.endsWith("/") ? "/" : ""), { limit })).folders.map(({ name }) => name);

describe("completion of folder paths", () => {
  test("lists folders only, repositories first and marked, hidden ones only on request", async () => {
    make("code/alpha", "code/beta/.git", "code/.hidden", "code/Album");
    writeFileSync(join(root, "code/alphabet.txt"), "");
    expect(await names("code/")).toEqual(["beta", "Album", "alpha"]);
    expect(await names("code/al")).toEqual(["Album", "alpha"]);
    expect(await names("code/.h")).toEqual([".hidden"]);
    const { folders } = await matchFolders(`${root}/code/b`, { limit: 50 });
    const beta = { name: "beta", path: `${root}/code/beta`, isRepository: true };
    expect(folders).toEqual([beta]);
    // the full name with a slash: the folder itself, then its subfolders
    make("code/beta/src");
    expect((await matchFolders(`${root}/code/beta/`, { limit: 50 })).folders).toEqual([
      beta,
      { name: "src", path: `${root}/code/beta/src`, isRepository: false },
    ]);
  });

  test("follows links to folders, not links to files or to nothing", async () => {
    make("real/.git");
    symlinkSync(join(root, "real"), join(root, "link"));
    symlinkSync(join(root, "gone"), join(root, "left"));
    writeFileSync(join(root, "file"), "");
    symlinkSync(join(root, "file"), join(root, "letter"));
    expect(await names("l")).toEqual(["link"]);
  });

  test("returns nothing for a missing or unreadable folder or a file, and reports when there are more", async () => {
    make("locked/inside", ...Array.from({ length: 60 }, (_, index) => `many/${index}`));
    writeFileSync(join(root, "file"), "");
    chmodSync(join(root, "locked"), 0);
    expect(await names("gone/")).toEqual([]);
    expect(await names("file/")).toEqual([]);
    expect((await matchFolders(`${root}/\0`, { limit: 50 })).folders).toEqual([]);
    // root reads everything
    if (process.getuid?.() !== 0) expect(await names("locked/")).toEqual([]);
    chmodSync(join(root, "locked"), 0o700);
    expect(await matchFolders(`${root}/many/`, { limit: 50 })).toMatchObject({ truncated: true, folders: { length: 50 } });
  });
});

describe("repositories in the home folder", () => {
  test("are found in its first two levels, most recently used first", async () => {
    make("one/.git", "code/two/.git", "code/deep/three/.git", ".hidden/four/.git", "node_modules/five/.git", "skein/six/.git");
    symlinkSync(join(root, "one"), join(root, "linked"));
    for (const [path, at] of [
      ["one/.git", 1000],
      ["code/two/.git", 2000],
    ] as const)
      utimesSync(join(root, path), at, at);
    const found = await findRepositories(root, { except: join(root, "skein") });
    expect(found.map(({ path }) => path)).toEqual([join(root, "code/two"), join(root, "one")]);
  });
});
