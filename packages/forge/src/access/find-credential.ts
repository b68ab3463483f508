import { execFile } from "node:child_process";
import type { ForgeKind } from "@skein/contracts";

/** A token and where it was found. The token is never part of an error, an event or a log. */
export interface ForgeCredential {
  token: string;
  source: "environment" | "settings" | "cli";
}

export interface CredentialSources {
  environment: Readonly<Record<string, string | undefined>>;
  /** Token of the settings for this host. */
  setting?: string | undefined;
  /** Runs a forge's command line tool; resolves with its output, or undefined if it is missing or fails. */
  run?: (program: string, args: readonly string[]) => Promise<string | undefined>;
}

/**
 * The token for a host: from the environment, the settings, or the login of the forge's own command line tool. A variable counts only
 * for the host that it belongs to, so that no token is sent to another one.
 */
export async function findCredential(
  { kind, host }: { kind: ForgeKind; host: string },
  { environment, setting, run = runProgram }: CredentialSources,
): Promise<ForgeCredential | undefined> {
  const variable = listVariables(kind, host, environment).find((name) => environment[name]?.trim());
  if (variable !== undefined) return { token: environment[variable]?.trim() ?? "", source: "environment" };
  if (setting !== undefined) return { token: setting, source: "settings" };
  const token = (await runLogin(kind, host, run))?.trim();
  // one printable word: anything else is a message, and would break the header
  return token !== undefined && /^[\x21-\x7e]{1,2000}$/.test(token) ? { token, source: "cli" } : undefined;
}

/** What a user can set for this host: shown where a credential is missing. */
export function describeSignIn({ kind, host }: { kind: ForgeKind; host: string }): { variable: string; command: string | null } {
  switch (kind) {
    case "github":
      return { variable: host === "github.com" ? "GH_TOKEN" : "GH_ENTERPRISE_TOKEN", command: `gh auth login --hostname ${host}` };
    case "gitlab":
      return { variable: "GITLAB_TOKEN", command: `glab auth login --hostname ${host}` };
    case "gitea":
      return { variable: "GITEA_TOKEN", command: null };
  }
}

/** The variables that may have a token for the host, in the order of `gh` and `glab` themselves. */
function listVariables(kind: ForgeKind, host: string, environment: CredentialSources["environment"]): string[] {
  const isNamed = (variable: string) => toHost(environment[variable]) === host;
  switch (kind) {
    case "github":
      if (host === "github.com") return ["GH_TOKEN", "GITHUB_TOKEN"];
      return isNamed("GH_HOST") ? ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"] : [];
    case "gitlab": {
      const isSet = Boolean(environment.GITLAB_HOST ?? environment.GL_HOST);
      return isNamed("GITLAB_HOST") || isNamed("GL_HOST") || (!isSet && host === "gitlab.com") ? ["GITLAB_TOKEN"] : [];
    }
    case "gitea":
      return isNamed("GITEA_SERVER_URL") ? ["GITEA_TOKEN"] : [];
  }
}

/** A variable may hold a host or an address. */
function toHost(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const address = value.includes("://") ? value : `https://${value}`;
  return URL.canParse(address) ? new URL(address).host : undefined;
}

function runLogin(kind: ForgeKind, host: string, run: NonNullable<CredentialSources["run"]>): Promise<string | undefined> {
  switch (kind) {
    case "github":
      return run("gh", ["auth", "token", "--hostname", host]);
    case "gitlab":
      return run("glab", ["config", "get", "token", "--host", host]);
    case "gitea":
      return Promise.resolve(undefined);
  }
}

function runProgram(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 10_000, maxBuffer: 100_000, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
