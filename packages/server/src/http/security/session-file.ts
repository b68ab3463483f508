import { readFileSync } from "node:fs";
import { z } from "zod";
import { ensurePrivateFile } from "../../data-dir/private-path.ts";
import { writePrivateFile } from "../../data-dir/write-private-file.ts";
import type { Logger } from "../../logger.ts";
import type { SessionStore, StoredSession } from "./sessions.ts";

const retryMs = 3000;

const fileSchema = z.object({
  version: z.literal(1),
  sessions: z.array(
    z.object({
      cookieHash: z.string(),
      secretHash: z.string(),
      createdAt: z.int().nonnegative(),
      expiresAt: z.int().nonnegative(),
    }),
  ),
});

/** The sessions of browsers, over restarts. A file that cannot be read holds no session: browsers sign in again. */
export function openSessionFile(path: string, logger: Logger): SessionStore {
  let retry: NodeJS.Timeout | undefined;

  /** A browser must be able to sign in and out while the disk is full: what counts meanwhile is in memory. */
  function save(sessions: readonly StoredSession[]): void {
    clearTimeout(retry);
    retry = undefined;
    try {
      writePrivateFile(path, `${JSON.stringify({ version: 1, sessions }, null, 2)}\n`);
    } catch (error) {
      logger.warn("the sessions could not be stored yet", { error });
      retry = setTimeout(() => save(sessions), retryMs).unref();
    }
  }

  return {
    load() {
      try {
        ensurePrivateFile(path);
        return fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))).sessions;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
        logger.warn("the sessions could not be read; browsers must sign in again", { error });
        return [];
      }
    },
    save,
  };
}
