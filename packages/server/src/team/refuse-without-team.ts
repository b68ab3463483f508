import type { Storage } from "@skein/engine";
import { DataDirError } from "../data-dir/data-dir-error.ts";

/**
 * Throws a `DataDirError` if the database that this server would share has users. Without `--team` it would check no rights: everyone who
 * can open it could do everything in everyone's name.
 */
export async function refuseWithoutTeam(storage: Storage): Promise<void> {
  if (storage.nodes === undefined || (await storage.read.countUsers()) === 0) return;
  throw new DataDirError(
    "The database has users, and this server was started without --team: it would not check their rights. Start it with --team (or SKEIN_TEAM=1), and with the SKEIN_CLUSTER_SECRET of the other servers.",
  );
}
