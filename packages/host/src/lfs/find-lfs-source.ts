import { createHash } from "node:crypto";
import { join } from "node:path";
import { type GitFolder, tryOwnGit } from "../git/git-folder.ts";
import { runGit } from "../git/run-git.ts";
import { readSmallBytes } from "../repository/read-small-file.ts";

/** The server of a repository's LFS files, as configured in the repository. */
export interface LfsSource {
  /** The LFS setting, or the remote that the URL is derived from. */
  setting: "lfs.url" | "remote.origin.url";
  url: string;
  /** Hash of setting and URL: what the user trusts. */
  hash: string;
  /** The URL without a password. */
  shown: string;
}

/** No server is configured, or one with an unsupported protocol. */
export type LfsSourceProblem = "no-server" | "no-protocol";

export type FoundLfsSource = LfsSource | { problem: LfsSourceProblem };

/**
 * The server that Git LFS would download from, in its own order: `lfs.url` in the repository's settings, `.lfsconfig` in the commit,
 * the remote. Only URLs are read; other settings, which can name programs, are ignored.
 */
export async function findLfsSource(folder: GitFolder, commit: string): Promise<FoundLfsSource> {
  const own = await readSmallBytes(join(folder.commonDir, "config"));
  const settings = Buffer.isBuffer(own) ? await parseSettings(folder, own.toString("utf8")) : [];
  const file = await tryOwnGit(folder, ["cat-file", "blob", `${commit}:.lfsconfig`]);
  const shared = file === null ? [] : await parseSettings(folder, file);
  const find = (list: readonly Setting[], key: string) => list.findLast(([name]) => name === key)?.[1];
  const remote = chooseRemote(settings);
  const lfsUrl =
    find(settings, "lfs.url") ??
    find(shared, "lfs.url") ??
    find(settings, `remote.${remote}.lfsurl`) ??
    find(shared, `remote.${remote}.lfsurl`);
  const url = lfsUrl ?? find(settings, `remote.${remote}.url`);
  if (url === undefined) return { problem: "no-server" };
  const shown = toShownAddress(url);
  if (shown === undefined) return { problem: "no-protocol" };
  const setting = lfsUrl === undefined ? "remote.origin.url" : "lfs.url";
  const hash = createHash("sha256")
    .update(JSON.stringify([setting, url]))
    .digest("hex");
  return { setting, url, hash, shown };
}

type Setting = readonly [key: string, value: string];

/** Reads the file from stdin, without includes. An invalid file has no settings. */
async function parseSettings({ commonDir }: GitFolder, text: string): Promise<Setting[]> {
  const list = ["config", "--file", "-", "--no-includes", "--null", "--list"];
  const output = await runGit(list, { cwd: commonDir, input: text }).catch(() => "");
  return output.split("\0").flatMap((entry) => {
    const at = entry.indexOf("\n");
    return at === -1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const];
  });
}

/** `origin`, or the only remote. */
function chooseRemote(settings: readonly Setting[]): string {
  const names = new Set(settings.flatMap(([key]) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []));
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : "origin";
}

/** Undefined for other protocols, and for a host or user that ssh would parse as an option. */
function toShownAddress(url: string): string | undefined {
  if (/[^\x21-\x7e]/.test(url) || url.length > 2000) return undefined;
  if (/^(?:[\w.+-]+@)?\w[\w.-]*:(?!:|\/\/)[^-]/.test(url) && !url.startsWith("-")) return url;
  const parsed = URL.parse(url);
  if (parsed === null || !["https:", "http:", "ssh:"].includes(parsed.protocol)) return undefined;
  if (!/^[\w[]/.test(parsed.hostname) || parsed.username.startsWith("-") || /^%2d/i.test(parsed.username)) return undefined;
  if (parsed.password !== "") parsed.password = "***";
  return parsed.href;
}
