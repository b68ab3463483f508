import { constants, copyFile, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { SandboxMount, SandboxOrder } from "@skein/agents/sandbox-order";
import type { AgentHomeEntry, LaunchSandbox } from "@skein/engine";
import { readOwnGitDir } from "../git/own-git-dir.ts";
import type { DataFolders } from "./data-folders.ts";

/** Logins and histories in a home folder. What runs in a sandbox does not see them. */
const secrets = [
  ...[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh", ".config/glab-cli", ".config/op"],
  ...[".netrc", ".git-credentials", ".npmrc", ".pypirc", ".vault-token", ".cargo/credentials.toml", ".terraform.d", ".password-store"],
  ...[".local/share/keyrings", ".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".thunderbird"],
  ...[".bash_history", ".zsh_history", ".python_history", ".node_repl_history", ".psql_history", ".lesshst"],
];

/** Folders that package managers write to: each attempt has its own. */
const caches = [
  ...[".cache", ".npm", ".yarn", ".gradle", ".m2", ".bun/install/cache", ".cargo/registry", ".cargo/git", ".local/share/pnpm"],
  ...[".local/state", "go/pkg"],
];

/**
 * What the programs of an attempt see: they can change the attempt's folder and a home folder of its own, and read the rest of the
 * machine except for Skein's data, other agents' state and the user's logins. A setting that they write into their home stays there: in
 * the user's own home it would run outside of the sandbox, the next time.
 */
export async function toSandboxOrder(
  { attemptId, hosts, home: entries }: LaunchSandbox,
  { folders, cwd, environment }: { folders: DataFolders; cwd: string; environment: Readonly<Record<string, string>> },
): Promise<SandboxOrder> {
  // never read from the attempt's folder: an agent may have replaced its `.git`
  const repository = await readOwnGitDir(join(folders.git, attemptId));
  const mounts: SandboxMount[] = [
    ...(await toHomeMounts({ home: environment.HOME, own: join(folders.homes, attemptId), entries, environment })),
    { path: folders.home, access: "none" },
    ...(repository === undefined ? [] : [{ path: repository.commonDir, access: "read" } as const]),
    { path: cwd, access: "write" },
    { path: join(cwd, ".git"), access: "read" },
    ...(repository !== undefined && isInside(repository.commonDir, cwd) ? [{ path: repository.commonDir, access: "read" } as const] : []),
  ];
  return { mounts, hosts };
}

/** A home folder of the attempt's own, in which the user's files can be read. */
async function toHomeMounts({
  home,
  own,
  entries,
  environment,
}: {
  home: string | undefined;
  own: string;
  entries: readonly AgentHomeEntry[];
  environment: Readonly<Record<string, string>>;
}): Promise<SandboxMount[]> {
  if (home === undefined || home === sep || !(await exists(home))) return [];
  await mkdir(own, { recursive: true, mode: 0o700 });
  const mounts: SandboxMount[] = [{ path: home, access: "write", from: own }];
  for (const path of caches) if (await exists(join(home, path))) await mkdir(join(own, path), { recursive: true, mode: 0o700 });
  mounts.push(...(await listVisible({ home, own, replaced: [...entries.map(({ path }) => path), ...caches] })));
  for (const path of secrets) mounts.push({ path: join(home, path), access: "none" });
  for (const entry of entries) mounts.push(...(await toEntryMounts({ entry, home, own, environment })));
  return mounts;
}

/** The user's files, each in its place in the attempt's own home, where links are copied. `replaced`: paths that are not shown. */
async function listVisible({
  home,
  own,
  replaced,
  below = "",
}: {
  home: string;
  own: string;
  replaced: readonly string[];
  below?: string;
}): Promise<SandboxMount[]> {
  const mounts: SandboxMount[] = [];
  for (const entry of await readdir(join(home, below), { withFileTypes: true }).catch(() => [])) {
    const relative = below === "" ? entry.name : `${below}/${entry.name}`;
    const path = join(home, relative);
    if (replaced.includes(relative)) continue;
    if (entry.isDirectory() && replaced.some((other) => other.startsWith(`${relative}/`))) {
      mounts.push(...(await listVisible({ home, own, replaced, below: relative })));
    } else if (entry.isSymbolicLink()) {
      await mkdir(join(own, below), { recursive: true, mode: 0o700 });
      await symlink(await readlink(path), join(own, relative)).catch(() => {}); // it is there already
    } else {
      mounts.push({ path, access: "read" });
    }
  }
  return mounts;
}

async function toEntryMounts({
  entry: { path, variable, reads = [], shares = [], isFile },
  home,
  own,
  environment,
}: {
  entry: AgentHomeEntry;
  home: string;
  own: string;
  environment: Readonly<Record<string, string>>;
}): Promise<SandboxMount[]> {
  const place = (variable === undefined ? undefined : environment[variable]) ?? join(home, path);
  const ownPlace = join(own, path);
  await mkdir(dirname(ownPlace), { recursive: true, mode: 0o700 });
  if (isFile) {
    if (!(await exists(ownPlace))) await copyFile(place, ownPlace, constants.COPYFILE_EXCL).catch(() => {}); // it has none
    return [];
  }
  await mkdir(ownPlace, { recursive: true, mode: 0o700 });
  return [
    // in the home folder, it is there already
    ...(place === join(home, path) ? [] : [{ path: place, access: "write", from: ownPlace } as const]),
    ...(await existing(place, reads)).map((each): SandboxMount => ({ path: each, access: "read" })),
    ...(await existing(place, shares)).map((each): SandboxMount => ({ path: each, access: "write" })),
  ];
}

async function existing(folder: string, names: readonly string[]): Promise<string[]> {
  const paths = names.map((name) => join(folder, name));
  const found = await Promise.all(paths.map(exists));
  return paths.filter((_, index) => found[index]);
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}${sep}`);
