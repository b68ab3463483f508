import { type LaunchCode, launchCodeSchema } from "@skein/contracts";
import { createApiClient } from "./api-client.ts";
import type { ServerAddress } from "./running-server.ts";

/** A link that signs a browser in, once; with `redirectFile`, also a file that redirects a browser to another such link. */
export function createLaunchLink(server: ServerAddress, options: { redirectFile: boolean }): Promise<LaunchCode> {
  return createApiClient(server).post("/api/launch-codes", options, launchCodeSchema);
}
