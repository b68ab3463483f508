import { launchCodeSchema } from "@skein/contracts";
import { createApiClient } from "./api-client.ts";
import type { ServerAddress } from "./running-server.ts";

/** A link that signs a browser in, once. */
export async function createLaunchUrl(server: ServerAddress): Promise<string> {
  return (await createApiClient(server).post("/api/launch-codes", {}, launchCodeSchema)).url;
}
