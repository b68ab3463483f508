import { loadConfig, type RunningServer, startServer } from "@skein/server";

/** A server for this command alone: no web UI, this machine only, any free port. */
export function startOwnServer(home: string, { team }: { team?: boolean } = {}): Promise<RunningServer> {
  const { tls: _tls, publicUrl: _publicUrl, ...config } = loadConfig({ home, team });
  return startServer({ ...config, host: "127.0.0.1", port: 0, behindProxy: false, webRoot: null, keepsProcessAlive: true });
}
