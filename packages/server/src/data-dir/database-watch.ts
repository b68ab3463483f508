import type { Storage, StorageDamage } from "@skein/engine";
import type { Logger } from "../logger.ts";

/** Interval for detecting that the database file was replaced or removed. A check costs three system calls. */
const lookEveryMs = 15_000;

/**
 * Checks the database files while the server runs, and reports a problem once, also to `onDamage`. Returns a function that stops the
 * checks.
 */
export function watchDatabase(input: { storage: Storage; logger: Logger; onDamage(): void }): () => void {
  const { storage, logger } = input;
  let damage: StorageDamage | undefined;

  async function look(): Promise<void> {
    const found = await storage.inspect();
    if (found?.kind === damage?.kind) return;
    damage = found;
    if (found === undefined) logger.info("the database is back in its place");
    else {
      logger.error(found.message, { kind: found.kind, ...(found.rescuedTo === undefined ? {} : { rescuedTo: found.rescuedTo }) });
      input.onDamage();
    }
  }

  const looking = setInterval(() => {
    look().catch((error: unknown) => logger.error("the database could not be inspected", { error }));
  }, lookEveryMs).unref();
  return () => clearInterval(looking);
}
