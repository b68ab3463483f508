import type { Storage, StorageDamage } from "@skein/engine";
import type { Logger } from "../logger.ts";

/** How soon it is noticed when the database is lost under the server. A look costs three system calls. */
const lookEveryMs = 15_000;

/**
 * Looks at the files of the database while the server runs, and reports what it finds once, also to `onDamage`. Returns what
 * ends it.
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
