import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** A real file system that can be filled and made read-only without harm. */
export interface SmallDisk {
  readonly path: string;
  /** Fills it until not one more byte can be written. */
  fill(): void;
  /** Fills it until not one more file can be created. */
  useUpInodes(): void;
  /** Undoes both. */
  free(): void;
  /** Only while nothing on it is open for writing. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
}

/** Mounting requires root: without it, tests that need a disk are reported as skipped. */
export const canMountDisks = canMount();

/** Unmounted when the test ends. */
export function mountSmallDisk(options: { megabytes: number; inodes?: number }): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "skein-disk-"));
  const limits = `size=${options.megabytes}m,nr_inodes=${options.inodes ?? 20_000},mode=0700`;
  execFileSync("mount", ["-t", "tmpfs", "-o", limits, "tmpfs", path]);
  onTestFinished(() => void tryMount("umount", "--lazy", path));
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      mkdirSync(filler, { recursive: true });
      const file = openSync(join(filler, "zeros"), "a");
      // large blocks first, then what is left, page by page
      for (const size of [1024 * 1024, 4096, 1]) writeUntilFull(file, Buffer.alloc(size));
      closeSync(file);
    },
    useUpInodes() {
      mkdirSync(filler, { recursive: true });
      for (let i = 0; ; i++) {
        try {
          writeFileSync(join(filler, String(i)), "");
        } catch (error) {
          if (isNoSpace(error)) return;
          throw error;
        }
      }
    },
    free: () => rmSync(filler, { recursive: true, force: true }),
    async setReadOnly(isReadOnly) {
      const args = ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, path];
      // the files of a runner stay open for a moment after its end
      await vi.waitFor(() => execFileSync("mount", args, { stdio: "ignore" }), { timeout: 20_000, interval: 50 });
    },
  };
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if (!isNoSpace(error)) throw error;
  }
}

const isNoSpace = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOSPC";

function canMount(): boolean {
  if (process.platform !== "linux") return false;
  const path = mkdtempSync(join(tmpdir(), "skein-disk-"));
  const mounted = tryMount("mount", "-t", "tmpfs", "tmpfs", path);
  if (mounted) tryMount("umount", path);
  return mounted;
}

function tryMount(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
