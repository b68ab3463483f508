import { join } from "node:path";
import { readOrCreateToken } from "./token-file.ts";

/** What the database must not have: keys are sealed, and secrets of webhooks derived, with it. Servers that share a database share it. */
export function readSealSecret(home: string): string {
  return process.env.SKEIN_CLUSTER_SECRET || readOrCreateToken(join(home, "team-secret"));
}
