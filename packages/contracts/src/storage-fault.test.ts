import { describe, expect, it } from "vitest";
import { describeStorageFault, findStorageFault, storageFaults } from "./storage-fault.ts";

const systemError = (code: string) => Object.assign(new Error(code), { code });
const sqliteError = (errcode: number) => Object.assign(new Error("database error"), { code: "ERR_SQLITE_ERROR", errcode });

describe("findStorageFault", () => {
  it.each([
    ["ENOSPC", "disk-full"],
    ["EDQUOT", "quota-exceeded"],
    ["EROFS", "read-only"],
    ["EACCES", "no-permission"],
    ["EMFILE", "too-many-open-files"],
    ["ENFILE", "too-many-open-files"],
    ["EIO", "input-output"],
    ["ENOENT", undefined],
    ["constructor", undefined],
  ])("[Q16] %s of the system is %s", (code, fault) => {
    expect(findStorageFault(systemError(code))).toBe(fault);
  });

  it.each([
    [13, "disk-full"],
    [8, "read-only"],
    [8 | (5 << 8), "read-only"], // SQLITE_READONLY_CANTINIT
    [5, "busy"],
    [6, "busy"],
    [10 | (19 << 8), "input-output"], // SQLITE_IOERR_SHMSIZE
    [14, "input-output"],
    [11, "damaged"],
    [26, "damaged"],
    [19, undefined], // a constraint violation is not a fault of the machine
  ])("[Q16] SQLite's result code %i is %s", (errcode, fault) => {
    expect(findStorageFault(sqliteError(errcode))).toBe(fault);
  });

  it("[Q16] a fault is found behind other errors and in what a program printed", () => {
    expect(findStorageFault(new Error("not saved", { cause: new Error("write failed", { cause: systemError("ENOSPC") }) }))).toBe(
      "disk-full",
    );
    expect(findStorageFault(Object.assign(new Error("not saved"), { failure: "busy" }))).toBe("busy");
    const stderr = "fatal: could not create leading directories of 'x': No space left on device\n";
    expect(findStorageFault(Object.assign(new Error("git failed"), { stderr, exitCode: 128 }))).toBe("disk-full");
    expect(findStorageFault(Object.assign(new Error("git failed"), { stderr: "fatal: bad revision", exitCode: 128 }))).toBeUndefined();
  });

  it("an error that is its own cause has none, nor has a value that is not an error", () => {
    const circular = new Error("circular");
    circular.cause = circular;
    expect(findStorageFault(circular)).toBeUndefined();
    expect(findStorageFault("ENOSPC")).toBeUndefined();
  });
});

it("[Q16] each fault has a cause and a remedy, in sentences", () => {
  for (const fault of storageFaults) {
    const { cause, remedy } = describeStorageFault(fault);
    expect([cause, remedy]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.stringMatching(/^[A-Z].*\.$/)]);
  }
});
