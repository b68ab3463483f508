import type { ForgeKind } from "@skein/contracts";
import { isLoopback } from "@skein/engine";
import type { ForgeRepository } from "./forge.ts";

/** A host of `config.json` or the settings. */
export interface ForgeHostConfig {
  kind: ForgeKind;
  /** Where its API is, if not at the usual place. */
  apiUrl?: string | undefined;
}

/** Address of a remote, without credentials. */
export interface RemoteAddress {
  host: string;
  path: string;
  protocol: "https" | "http" | "ssh";
}

const publicHosts: Readonly<Record<string, ForgeKind>> = {
  "github.com": "github",
  "gitlab.com": "gitlab",
  "codeberg.org": "gitea",
  "gitea.com": "gitea",
};

/** Hosts for ssh on another port, for firewalls, and the hosts that they stand for. */
const aliases: Readonly<Record<string, string>> = { "ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com" };

/**
 * The repository that a remote belongs to: by its host if that is well known or configured; undefined otherwise. A name such as
 * `github.example.com` proves nothing, and no token is sent on a guess.
 */
export function recogniseForge(remote: RemoteAddress, configured: Readonly<Record<string, ForgeHostConfig>>): ForgeRepository | undefined {
  const named = remote.host.toLowerCase();
  const host = aliases[named] ?? named;
  const config = configured[host];
  const kind = config?.kind ?? publicHosts[host];
  const path = remote.path.replace(/^\/+|\/+$/g, "");
  const parts = path.split("/");
  if (kind === undefined || parts.length < 2 || (kind !== "gitlab" && parts.length !== 2)) return undefined;
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  return { kind, host, path, apiUrl: (config?.apiUrl ?? toApiUrl(kind, host, remote.protocol)).replace(/\/+$/, "") };
}

function toApiUrl(kind: ForgeKind, host: string, protocol: RemoteAddress["protocol"]): string {
  if (host === "github.com") return "https://api.github.com";
  const { hostname } = new URL(`http://${host}`);
  const origin = `${protocol === "http" && isLoopback(hostname) ? "http" : "https"}://${host}`;
  return `${origin}${{ github: "/api/v3", gitlab: "/api/v4", gitea: "/api/v1" }[kind]}`;
}
