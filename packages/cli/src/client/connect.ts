import { resolveHome } from "../home.ts";
import { type ApiClient, createApiClient } from "./api-client.ts";
import { findRunningServer } from "./running-server.ts";

export interface Connection extends AsyncDisposable {
  client: ApiClient;
  /** True when the server is part of this process and ends with it. */
  ownServer: boolean;
}

/** Connects to the server of the data dir; if none is running, starts one in this process, without the web UI, on any free port. `team`: with users, whatever the settings. */
export async function connect(options: { home?: string | undefined; team?: boolean }): Promise<Connection> {
  const home = resolveHome(options.home);
  const running = await findRunningServer(home);
  if (running !== undefined) {
    return { client: createApiClient(running), ownServer: false, [Symbol.asyncDispose]: async () => {} };
  }
  const { startOwnServer } = await import("./own-server.ts");
  const server = await startOwnServer(home, options);
  return { client: createApiClient(server), ownServer: true, [Symbol.asyncDispose]: () => server.close() };
}
