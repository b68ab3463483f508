import { spawn } from "node:child_process";
import { join } from "node:path";
import { gitEnvironment } from "./git-environment.ts";
import { type GitFolder, tryOwnGit } from "./git-folder.ts";

const fetchTimeoutMs = 20 * 60_000;
const longestLine = 300;

/** What git says while it fetches; `failed` is the last one, with its reason. */
export interface FetchReport {
  type: "progress" | "failed";
  text: string;
}

/** Where branches of the remote are kept: they are for their objects only. */
const fetchedRefs = "refs/skein/fetched/";

/**
 * The address that another machine fetches from, without a user's name for https and without a password: each machine has its own
 * credentials. Undefined for a path or a program.
 */
export function toFetchAddress(url: string): string | undefined {
  if (/^[A-Za-z0-9][\w.-]*(?:@[\w.-]+)?:(?!\/\/)[^\s:-][^\s]*$/.test(url)) return url;
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!["https:", "http:", "ssh:", "git:"].includes(parsed.protocol)) return undefined;
  parsed.password = "";
  if (parsed.protocol !== "ssh:") parsed.username = "";
  return parsed.href;
}

/**
 * Fetches all branches of a remote with the credentials and the ssh of this machine's user, and reports the progress. The last report is
 * `failed` if it did not succeed. Settings of the repository do not count.
 */
export async function* fetchRemote(folder: GitFolder, url: string): AsyncGenerator<FetchReport> {
  const user = { settings: "user", network: "remote" } as const;
  const ssh = (await tryOwnGit(folder, ["config", "--includes", "--get", "core.sshCommand"], { target: user })) || "ssh";
  const env = gitEnvironment({
    ...{ gitDir: folder.ownDir, workTree: folder.directory, index: join(folder.ownDir, "index"), ...user },
    config: [["core.sshCommand", `${ssh} -oBatchMode=yes`]],
  });
  const options = ["--progress", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--prune"];
  const child = spawn("git", ["--no-pager", "fetch", ...options, "--", url, `+refs/heads/*:${fetchedRefs}*`], {
    ...{ cwd: folder.directory, env, timeout: fetchTimeoutMs },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<{ exitCode: number | null; error?: Error }>((resolve) => {
    child.once("error", (error) => resolve({ exitCode: null, error }));
    child.once("close", (exitCode) => resolve({ exitCode }));
  });
  const lines: string[] = [];
  try {
    let rest = "";
    for await (const chunk of child.stderr.setEncoding("utf8")) {
      // progress is written over itself
      const parts = `${rest}${chunk}`.split(/[\r\n]+/);
      rest = (parts.pop() ?? "").slice(-longestLine);
      const shown = parts.filter((line) => line.trim() !== "").map((line) => line.trim().slice(0, longestLine));
      lines.push(...shown);
      lines.splice(0, lines.length - 50);
      const last = shown.at(-1);
      if (last !== undefined) yield { type: "progress", text: last };
    }
    const { exitCode, error } = await ended;
    if (exitCode === 0) return;
    lines.push(rest.trim());
    const said = lines.find((line) => /^(?:fatal|error):/i.test(line)) ?? lines.find((line) => line !== "");
    const reason = error?.message ?? said ?? (child.signalCode === null ? `git ended with ${exitCode}` : "It took too long.");
    yield { type: "failed", text: reason.replace(/^(?:fatal|error): /i, "") };
  } finally {
    child.kill();
  }
}
