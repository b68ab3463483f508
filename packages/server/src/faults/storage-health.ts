import { rm, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { findStorageFault, type StorageFault } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { refineFault } from "./refine-fault.ts";

/** Whether this server can currently store anything. */
export interface StorageHealth {
  readonly fault: StorageFault | undefined;
  /** Tests a write, unless that was done a moment ago. */
  check(): Promise<StorageFault | undefined>;
  /**
   * Returns the storage fault behind an error, as precisely as the disk's state allows; undefined for other errors. From then on the
   * disk is checked until it is writable again.
   */
  explain(error: unknown): Promise<StorageFault | undefined>;
  /** Tests a write now. */
  refresh(): Promise<StorageFault | undefined>;
  /** Calls `listener` when a fault begins, changes or ends. */
  onChange(listener: (fault: StorageFault | undefined) => void): () => void;
  close(): void;
}

const freshMs = { ready: 10_000, degraded: 1000 };
/** Interval of checks during a fault. It grows, because a locked database blocks each check. */
const firstLookMs = 1000;
const longestLookMs = 8000;
/** Larger than the unused part of a file's last block. */
const testBytes = Buffer.alloc(32 * 1024, "x");

export function createStorageHealth(options: {
  home: string;
  storage: Pick<Storage, "transaction">;
  /** Whether parts of the database are known to be damaged while the rest is writable. */
  isDamaged?(): boolean;
}): StorageHealth {
  const { home, storage } = options;
  const listeners = new Set<(fault: StorageFault | undefined) => void>();
  const testFile = join(home, "write-test");
  let fault: StorageFault | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<StorageFault | undefined> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lookMs = firstLookMs;
  let closed = false;

  async function testWrite(): Promise<StorageFault | undefined> {
    try {
      await writeFile(testFile, testBytes, { mode: 0o600 });
      await rm(testFile);
      await storage.transaction(async () => {});
      return options.isDamaged?.() ? "damaged" : undefined;
    } catch (error) {
      await rm(testFile, { force: true }).catch(() => {});
      return refineFault(findStorageFault(error) ?? "other", home);
    }
  }

  function look(): Promise<StorageFault | undefined> {
    checking ??= testWrite().then((found) => {
      checking = undefined;
      checkedAt = performance.now();
      settle(found);
      return found;
    });
    return checking;
  }

  function settle(found: StorageFault | undefined): void {
    if (closed) return;
    clearTimeout(timer);
    lookMs = found === undefined || found !== fault ? firstLookMs : Math.min(lookMs * 2, longestLookMs);
    if (found !== undefined) timer = setTimeout(() => void look(), lookMs).unref();
    if (found === fault) return;
    fault = found;
    for (const listener of listeners) listener(found);
  }

  return {
    get fault() {
      return fault;
    },
    check() {
      const isFresh = performance.now() - checkedAt < freshMs[fault === undefined ? "ready" : "degraded"];
      return isFresh ? Promise.resolve(fault) : look();
    },
    async explain(error) {
      const found = findStorageFault(error);
      // an error about a file elsewhere, for example in a repository, is not a fault of the data dir
      if (found === undefined || (found === "no-permission" && !concerns(error, home))) return undefined;
      const seen = await look();
      // an I/O error of SQLite or a full disk reported by git may have a more precise cause
      return seen ?? refineFault(found, home);
    },
    refresh: look,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function concerns(error: unknown, home: string): boolean {
  if (!(error instanceof Error)) return false;
  if ("failure" in error) return true;
  const path = "path" in error && typeof error.path === "string" ? error.path : "";
  return path === home || path.startsWith(`${home}${sep}`) || concerns(error.cause, home);
}
