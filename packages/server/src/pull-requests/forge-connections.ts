import { join } from "node:path";
import type { ForgeAccess, ForgeKind } from "@skein/contracts";
import type { Forge, ForgeCredential, ForgeHostConfig, ForgeRepository, RemoteAddress } from "@skein/forge";
import { saveConfig, toObject } from "../config/change-config-file.ts";
import type { Config } from "../config/load-config.ts";

type HostSettings = ForgeHostConfig & { token?: string | undefined };

/** A forge with a token for it. */
export interface OpenedForge {
  forge: Forge;
  /** For pushing over https, where the user's own git settings have no credential. */
  gitCredential: { username: string; token: string; host: string };
}

/** Hosts and tokens of forges. Tokens are write-only: they go into requests to their own host, and nowhere else (X11). */
export interface ForgeConnections {
  /** Undefined if no known forge runs on the host. */
  recognise(remote: RemoteAddress): Promise<ForgeRepository | undefined>;
  /** Where the token for the repository comes from, and how to sign in if there is none. */
  describeAccess(repository: ForgeRepository): Promise<{
    credential: ForgeCredential["source"] | null;
    signIn: { variable: string; command: string | null };
  }>;
  /** The same object for the same repository and token, because it remembers answers. Rejects with code `no-forge-credential`. */
  open(repository: ForgeRepository): Promise<OpenedForge>;
  listHosts(): Promise<ForgeAccess[]>;
  setToken(host: string, input: { kind: ForgeKind; token: string }): Promise<ForgeAccess>;
  removeToken(host: string): Promise<void>;
  /** Every token that was used, for the redaction of the log. */
  listSecrets(): string[];
}

const maxOpened = 20;

/** The client of forges is imported when it is first needed. */
export function createForgeConnections(options: {
  home: string;
  config: Pick<Config, "forges">;
  environment: NodeJS.ProcessEnv;
}): ForgeConnections {
  const { environment } = options;
  const path = join(options.home, "config.json");
  let hosts: Record<string, HostSettings> = options.config.forges ?? {};
  const opened = new Map<string, OpenedForge>();
  const secrets = new Set<string>();

  async function findCredential({ kind, host }: ForgeRepository): Promise<ForgeCredential | undefined> {
    const { findCredential: find } = await import("@skein/forge");
    const credential = await find({ kind, host }, { environment, setting: hosts[host]?.token });
    if (credential !== undefined) secrets.add(credential.token);
    return credential;
  }

  async function toAccess(host: string, { kind, token }: HostSettings): Promise<ForgeAccess> {
    const { findCredential: find } = await import("@skein/forge");
    const credential = await find({ kind, host }, { environment, setting: token, run: async () => undefined });
    return { host, kind, source: credential?.source === "cli" ? "none" : (credential?.source ?? "none"), isSet: token !== undefined };
  }

  function save(host: string, settings: HostSettings): void {
    saveConfig(path, (file) => ({ ...file, forges: { ...toObject(file.forges), [host]: settings } }));
    hosts = { ...hosts, [host]: settings };
    opened.clear();
  }

  return {
    async recognise(remote) {
      const { recogniseForge } = await import("@skein/forge");
      return recogniseForge(remote, hosts);
    },
    async describeAccess(repository) {
      const { describeSignIn } = await import("@skein/forge");
      const credential = await findCredential(repository);
      return { credential: credential?.source ?? null, signIn: describeSignIn(repository) };
    },
    async open(repository) {
      const { createForge, describeSignIn, ForgeError, toGitCredential } = await import("@skein/forge");
      const credential = await findCredential(repository);
      if (credential === undefined) {
        throw new ForgeError({ code: "no-forge-credential", host: repository.host, variable: describeSignIn(repository).variable });
      }
      const { token } = credential;
      const key = JSON.stringify([repository, token]);
      const known = opened.get(key);
      if (known !== undefined) return known;
      const created = { forge: await createForge({ repository, token }), gitCredential: toGitCredential(repository, token) };
      opened.set(key, created);
      const [oldest] = opened.keys();
      if (opened.size > maxOpened && oldest !== undefined) opened.delete(oldest);
      return created;
    },
    listHosts: () =>
      Promise.all(Object.entries({ "github.com": { kind: "github" as const }, ...hosts }).map((entry) => toAccess(...entry))),
    async setToken(host, { kind, token }) {
      secrets.add(token);
      const settings = { ...hosts[host], kind, token };
      save(host, settings);
      return toAccess(host, settings);
    },
    async removeToken(host) {
      const known = hosts[host];
      if (known === undefined) return;
      const { token: _token, ...others } = known;
      save(host, others);
    },
    listSecrets: () => [...secrets, ...Object.values(hosts).flatMap(({ token }) => token ?? [])],
  };
}
