import { loadConfig } from "@skein/server";
import { findRunningServer } from "../client/running-server.ts";

/** The port of the running server of this data dir, or the one that the next server would use. Throws `ConfigError`. */
export async function findServerPort(home: string): Promise<number> {
  const running = await findRunningServer(home);
  return running === undefined ? loadConfig({ home }).port : Number(new URL(running.url).port);
}
