import { join } from "node:path";
import { type GitFolder, runOwnGit, tryOwnGit } from "../git/git-folder.ts";
import { GitObstacleError } from "./git-obstacle.ts";
import { toShellCommand } from "./shell-command.ts";

export interface GitRemote {
  name: string;
  /** What is pushed to, or fetched from, as the user's settings rewrite it (`insteadOf`). May hold credentials: never shown. */
  url: string;
}

/** The remotes of a repository's own config, read as data: its includes, and what else it configures, do not count. */
export async function listRemotes(folder: GitFolder, use: "push" | "fetch" = "push"): Promise<GitRemote[]> {
  const file = join(folder.commonDir, "config");
  const question = ["config", "--file", file, "--no-includes", "-z", "--get-regexp", "^remote\\..*\\.(url|pushurl)$"];
  const output = (await tryOwnGit(folder, question)) ?? "";
  const urls = new Map<string, { url?: string; pushurl?: string }>();
  for (const entry of output.split("\0")) {
    const [, name, kind, value] = /^remote\.(.+)\.(url|pushurl)\n(.*)$/s.exec(entry) ?? [];
    if (name === undefined || kind === undefined || value === undefined) continue;
    const known = urls.get(name) ?? {};
    // git pushes to the first
    urls.set(name, { [kind]: value, ...known });
  }
  const remotes: GitRemote[] = [];
  for (const [name, { url, pushurl }] of urls) {
    const written = use === "push" ? (pushurl ?? url) : url;
    if (written !== undefined && isPlain(written)) remotes.push({ name, url: await rewrite(folder, written) });
  }
  return remotes;
}

/** An address, not a program (`ext::…`) and not an option. */
function isPlain(url: string): boolean {
  return !url.startsWith("-") && !/^[\w-]+::/.test(url);
}

async function rewrite(folder: GitFolder, url: string): Promise<string> {
  const rewritten = await tryOwnGit(folder, ["ls-remote", "--get-url", "--", url], { target: { settings: "user" } });
  return rewritten === null || rewritten === "" || !isPlain(rewritten) ? url : rewritten;
}

/** The one that is named, that of the base branch, `origin`, or the only one. Throws where there is none. */
export async function chooseRemote(
  folder: GitFolder,
  { wanted, baseBranch, use }: { wanted?: string | undefined; baseBranch: string | null; use?: "push" | "fetch" },
): Promise<GitRemote> {
  const remotes = await listRemotes(folder, use);
  const file = join(folder.commonDir, "config");
  const configured =
    baseBranch === null
      ? null
      : await tryOwnGit(folder, ["config", "--file", file, "--no-includes", "--get", `branch.${baseBranch}.remote`]);
  const names = wanted === undefined ? [configured, "origin", remotes.length === 1 ? remotes[0]?.name : null] : [wanted];
  for (const name of names) {
    const found = remotes.find((remote) => remote.name === name);
    if (found !== undefined) return found;
  }
  throw new GitObstacleError(
    { code: "no-remote" },
    { command: toShellCommand("git", "-C", folder.directory, "remote", "add", "origin", "<address>") },
  );
}

/** For people: without user name and password. */
export function hideCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^@/]*@/i, "$1");
}

/** Where the attempt's branch is on a remote, as far as was seen. */
export function findPushed(folder: GitFolder, remote: string, branch: string): Promise<string | null> {
  return tryOwnGit(folder, ["rev-parse", "--verify", "--quiet", `refs/remotes/${remote}/${branch}`]);
}

export async function rememberPushed(folder: GitFolder, remote: string, branch: string, commit: string): Promise<void> {
  await runOwnGit(folder, ["update-ref", `refs/remotes/${remote}/${branch}`, commit]);
}
