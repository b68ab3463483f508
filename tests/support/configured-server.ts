import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startRealServer } from "./real-server.ts";
import { newFolder } from "./repository.ts";

/** A server with a config.json of the user. */
export function startConfiguredServer(config: object, environment: Record<string, string> = {}, options: { keep?: true } = {}) {
  const home = newFolder("home");
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  return startRealServer({ home, environment, ...options });
}
