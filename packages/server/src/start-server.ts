/** Flags over `SKEIN_*` environment over `<home>/config.json`, already resolved. */
export interface ServerOptions {
  /** The data dir; created 0700 when missing. */
  home: string;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Required for a host that is not loopback, unless `tls` is given. */
  behindProxy: boolean;
  /** The address that people use when it is not the one it listens on: `https://skein.example`. */
  publicUrl?: string | undefined;
  tls?: { certFile: string; keyFile: string } | undefined;
  /** Built web UI; null serves the API alone. */
  webRoot: string | null;
}

export interface RunningServer {
  url: string;
  /** The URL with a fresh single-use launch code. */
  createLaunchUrl(): string;
  /** The bearer token for programs. */
  token: string;
  /** Agents go on in their runners; the next server attaches to them. */
  close(): Promise<void>;
}
