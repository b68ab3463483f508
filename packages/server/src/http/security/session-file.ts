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

/** Stores browser sessions across restarts. If the file cannot be read there are no sessions, and browsers sign in again. */
export function openSessionFile(path: string, logger: Logger): SessionStore {
  let retry: NodeJS.Timeout | undefined;

  /** Browsers must be able to sign in and out while the disk is full: sessions in memory are valid until they can be saved. */
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
