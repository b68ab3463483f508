import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataDirError } from "./data-dir-error.ts";
import { openDataDir } from "./open-data-dir.ts";

let parent: string;
let home: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "skein-data-dir-"));
  home = join(parent, "home");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

describe("openDataDir", () => {
  it("[X3] the data dir is 0700 and its token 0600, whatever the umask", () => {
    const before = process.umask(0o000);
    try {
      openDataDir(home);
    } finally {
      process.umask(before);
    }
    expect(modeOf(home)).toBe(0o700);
    expect(modeOf(join(home, "token"))).toBe(0o600);
  });

  it("[X3] the token is 256-bit, differs between data dirs and stays over restarts", () => {
    const first = openDataDir(home).token;
    expect(Buffer.from(first, "base64url")).toHaveLength(32);
    expect(readFileSync(join(home, "token"), "utf8")).toBe(first);
    expect(openDataDir(home).token).toBe(first);
    expect(openDataDir(join(parent, "other")).token).not.toBe(first);
  });

  it("[X3] widened modes are restored", () => {
    const { token } = openDataDir(home);
    chmodSync(home, 0o755);
    chmodSync(join(home, "token"), 0o644);
    expect(openDataDir(home).token).toBe(token);
    expect(modeOf(home)).toBe(0o700);
    expect(modeOf(join(home, "token"))).toBe(0o600);
  });

  it("[X3] a token that is a link to another file is refused", () => {
    mkdirSync(home);
    writeFileSync(join(parent, "elsewhere"), "x");
    symlinkSync(join(parent, "elsewhere"), join(home, "token"));
    expect(() => openDataDir(home)).toThrow(DataDirError);
  });

  it("[X3] a damaged token is not used and not overwritten", () => {
    mkdirSync(home);
    writeFileSync(join(home, "token"), "");
    expect(() => openDataDir(home)).toThrow(/does not contain a token\. Delete it/);
    expect(readFileSync(join(home, "token"), "utf8")).toBe("");
  });

  it("[X3] creating the token leaves no draft behind", () => {
    openDataDir(home);
    expect(existsSync(join(home, "token"))).toBe(true);
    expect(lstatSync(join(home, "token")).nlink).toBe(1);
  });

  it.runIf(process.getuid?.() === 0)("[X3] a data dir of another user is refused with what to do", () => {
    mkdirSync(home);
    chownSync(home, 12345, 12345);
    expect(() => openDataDir(home)).toThrow(/belongs to another user \(uid 12345, you are uid 0\).*SKEIN_HOME/);
    expect(existsSync(join(home, "token"))).toBe(false);
  });

  it("folders are created on first use, 0700", () => {
    const dataDir = openDataDir(home);
    expect(existsSync(join(home, "executions"))).toBe(false);
    expect(dataDir.folder("executions")).toBe(join(home, "executions"));
    expect(modeOf(join(home, "executions"))).toBe(0o700);
  });

  it("a file in place of the data dir is rejected", () => {
    writeFileSync(home, "");
    expect(() => openDataDir(home)).toThrow();
  });
});
