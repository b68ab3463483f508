import type { ConfigFlags } from "@skein/server";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";

/** The options of `serve`; missing ones come from the environment and config.json. */
export interface ServeFlags {
  home?: string;
  host?: string;
  port?: number;
  behindProxy?: boolean;
  publicUrl?: string;
  tlsCert?: string;
  tlsKey?: string;
  team?: boolean;
  open: boolean;
}

export function toConfigFlags(flags: ServeFlags): ConfigFlags {
  return {
    home: resolveHome(flags.home),
    host: flags.host,
    port: flags.port,
    behindProxy: flags.behindProxy,
    publicUrl: flags.publicUrl,
    tls: toTls(flags),
    team: flags.team,
  };
}

function toTls({ tlsCert, tlsKey }: ServeFlags): ConfigFlags["tls"] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  throw new CliError("TLS needs both --tls-cert and --tls-key.", { exitCode: exitCode.usage });
}
