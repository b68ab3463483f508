import type { Pushed } from "@skein/contracts";
import { isLoopback, parseRemoteUrl, ServiceError } from "@skein/engine";
import { hardening } from "../git/git-environment.ts";
import { type GitFolder, runOwnGit, tryOwnGit } from "../git/git-folder.ts";
import { GitError } from "../git/run-git.ts";
import { GitObstacleError } from "./git-obstacle.ts";
import { chooseRemote, findPushed, hideCredentials, rememberPushed } from "./remotes.ts";
import { openHooks, type TrustedHooks } from "./run-hooks.ts";
import { toShellCommand } from "./shell-command.ts";
import { getBranch } from "./update-branch.ts";

const pushTimeoutMs = 10 * 60_000;

/** Git does not pass our settings to a repository on this machine: without these, its own hooks and settings would start programs (X9). */
const receivePack = toShellCommand(
  "git",
  // a checkout would be written, through the filters of its settings
  ...[...hardening, ["receive.denyCurrentBranch", "refuse"], ["receive.autogc", "false"]].flatMap(([key, value]) => [
    "-c",
    `${key}=${value}`,
  ]),
  "receive-pack",
);

export interface PushInput {
  folder: GitFolder;
  baseBranch: string | null;
  remote?: string | undefined;
  /** For https, where the user's own settings have none, and only if the remote is on this host. Never in an argument or a file. */
  credential?: { username: string; token: string; host: string } | undefined;
  hooks?: TrustedHooks | undefined;
}

/**
 * Pushes the attempt's branch with the user's own credentials; settings of the repository do not count, and its pre-push hook runs only if
 * the user trusts it. What was pushed before is replaced, as after a rebase, unless somebody else has pushed there meanwhile.
 */
export async function pushBranch(input: PushInput): Promise<Omit<Pushed, "hooks"> & { hookOutput: string }> {
  const { folder } = input;
  const { ref, commit } = await getBranch(folder);
  const branch = ref.replace("refs/heads/", "");
  const remote = await chooseRemote(folder, { wanted: input.remote, baseBranch: input.baseBranch });
  const known = await findPushed(folder, remote.name, branch);
  const lease = `--force-with-lease=refs/heads/${branch}:${known ?? ""}`;
  const isLocal = isLocalAddress(remote.url);
  const receive = isLocal ? [`--receive-pack=${receivePack}`] : [];
  const args = ["push", "--porcelain", "--no-verify", ...receive, lease, "--", remote.url, `${commit}:refs/heads/${branch}`];
  const hooks = input.hooks && (await openHooks(folder, input.hooks));
  const refs = `${ref} ${commit} refs/heads/${branch} ${known ?? "0".repeat(commit.length)}\n`;
  await hooks?.run("pre-push", { args: [remote.name, hideCredentials(remote.url)], input: refs });
  const own = { network: isLocal ? "local" : "remote", settings: "user" } as const;
  const ssh = (await tryOwnGit(folder, ["config", "--includes", "--get", "core.sshCommand"], { target: own })) || "ssh";
  const config = [["core.sshCommand", `${ssh} -oBatchMode=yes`] as const];
  const origin = input.credential && toCredentialOrigin(remote.url, input.credential.host);
  const credential = origin && input.credential ? { credential: { ...input.credential, origin } } : {};
  try {
    await runOwnGit(folder, args, { timeoutMs: pushTimeoutMs, target: { ...own, config, ...credential } });
  } catch (error) {
    throw error instanceof GitError ? explainPush(error, { branch, remote, directory: folder.directory }) : error;
  }
  await rememberPushed(folder, remote.name, branch, commit);
  const newPullRequestUrl = toNewPullRequestUrl(remote.url, branch, input.baseBranch);
  return { remote: remote.name, branch, commit, newPullRequestUrl, hookOutput: hooks?.output ?? "" };
}

/** The origin that may be sent the credential of a host; undefined if the remote is on another host, or the connection is not safe. */
export function toCredentialOrigin(url: string, host: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host: found, hostname, origin } = new URL(url);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  return isSafe && found === host.toLowerCase() ? origin : undefined;
}

/** A path or `file:`. Git decides by itself; where it disagrees, it is not allowed to push. */
function isLocalAddress(url: string): boolean {
  return /^file:/i.test(url) || (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && !/^[^/]*:/.test(url));
}

/** What git reports, as what to do. */
function explainPush(
  error: GitError,
  { branch, remote: { name, url }, directory }: { branch: string; remote: { name: string; url: string }; directory: string },
): ServiceError {
  const text = `${error.stderr}\n${error.stdout}`;
  const host = parseRemoteUrl(url)?.host ?? hideCredentials(url);
  const cause = { cause: error };
  const inFolder = (...args: string[]) => ({ ...cause, command: toShellCommand("git", "-C", directory, ...args) });
  const bySsh = { ...cause, command: toShellCommand("ssh", "-T", `git@${host}`) };
  if (/Host key verification failed/i.test(text)) return new ServiceError("forbidden", { code: "ssh-host-unknown", host }, bySsh);
  if (/Permission denied|publickey/i.test(text)) return new ServiceError("forbidden", { code: "ssh-refused", host }, bySsh);
  if (/(?:ssh: (?:command )?not found|cannot (?:run|exec) '?ssh)/i.test(text)) {
    return new ServiceError("unavailable", { code: "no-ssh", host }, cause);
  }
  if (/Authentication failed|could not read (?:Username|Password)|\b40[13]\b|terminal prompts disabled/i.test(text)) {
    return new GitObstacleError({ code: "no-credential", host }, inFolder("push", name, branch));
  }
  if (/protected branch|GH006|pre-receive hook declined|not allowed to push/i.test(text)) {
    const said = /remote: (?:error: )?(.+)/.exec(text)?.[1]?.trim() ?? "the branch is protected.";
    return new ServiceError("forbidden", { code: "push-declined", host, branch, said }, cause);
  }
  if (/stale info|non-fast-forward|fetch first|\[rejected\]/i.test(text)) {
    return new ServiceError("conflict", { code: "push-rejected", host, branch }, inFolder("fetch", name));
  }
  const unreachable =
    /Could not resolve host|Connection (?:refused|timed out|reset)|Failed to connect|unable to access|Network is unreachable/i;
  if (unreachable.test(text) || error.message.includes("did not end within")) {
    return new ServiceError("unavailable", { code: "no-network", host }, cause);
  }
  if (/does not appear to be a git repository|not found/i.test(text)) {
    return new ServiceError("not-found", { code: "remote-gone", url: hideCredentials(url) }, cause);
  }
  const first = text.split("\n").find((line) => /fatal|error|remote:/i.test(line)) ?? "git push failed";
  return new ServiceError("conflict", { code: "push-failed", host, said: first.replace(/^(?:fatal|error): /, "").slice(0, 300) }, cause);
}

/** The page on which a pull request is opened, on forges that have one at a known place. */
function toNewPullRequestUrl(url: string, branch: string, base: string | null): string | null {
  const remote = parseRemoteUrl(url);
  if (remote === undefined) return null;
  const origin = `${remote.protocol === "http" ? "http" : "https"}://${remote.host}/${remote.path}`;
  const head = encodeURIComponent(branch);
  if (/gitlab/i.test(remote.host)) return `${origin}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${head}`;
  return `${origin}/compare/${base === null ? "" : `${encodeURIComponent(base)}...`}${head}`;
}
