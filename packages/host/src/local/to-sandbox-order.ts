import { constants, copyFile, lstat, mkdir, readdir, readlink, realpath, rm, symlink } from "node:fs/promises";
import { basename, join, sep } from "node:path";
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
  { attemptId, hosts, home: entries }: Omit<LaunchSandbox, "scope">,
  { folders, cwd, environment }: { folders: DataFolders; cwd: string; environment: Readonly<Record<string, string>> },
): Promise<SandboxOrder> {
  // never read from the attempt's folder: an agent may have replaced its `.git`
  const repository = await readOwnGitDir(join(folders.git, attemptId));
  const isDataDir = environment.HOME !== undefined && (await isSame(environment.HOME, folders.home));
  const homeMounts = await toHomeMounts({ home: environment.HOME, own: join(folders.homes, attemptId), entries, environment, isDataDir });
  const hidden: SandboxMount = { path: folders.home, access: "none" };
  const mounts: SandboxMount[] = [
    // of two for the same path, the later one counts
    ...(isDataDir ? [hidden, ...homeMounts] : [...homeMounts, hidden]),
    ...(repository === undefined ? [] : [{ path: repository.commonDir, access: "read" } as const]),
    { path: cwd, access: "write" },
    { path: join(cwd, ".git"), access: "read" },
    ...(repository !== undefined && isInside(repository.commonDir, cwd) ? [{ path: repository.commonDir, access: "read" } as const] : []),
  ];
  return { mounts, hosts };
}

/**
 * A home folder of the attempt's own, in which the user's files can be read. What an agent wrote there stays, links too, and a later
 * start must not follow them: each folder that is shown in it has its own folder outside (`own/<path>`), where no agent can replace it,
 * and a file is shown in place of a link.
 */
async function toHomeMounts({
  home,
  own,
  entries,
  environment,
  isDataDir,
}: {
  home: string | undefined;
  own: string;
  entries: readonly AgentHomeEntry[];
  environment: Readonly<Record<string, string>>;
  /** The data dir is the home of a user that Skein has for itself: of what is there, only the agent's own state is shown. */
  isDataDir: boolean;
}): Promise<SandboxMount[]> {
  if (home === undefined || home === sep || !(await exists(home))) return [];
  const kept = [];
  for (const path of caches) if (await exists(join(home, path))) kept.push(path);
  const mounts: SandboxMount[] = [];
  const paths = [...entries.map(({ path }) => path), ...kept];
  for (const path of ["", ...new Set(paths.flatMap(listParents))]) {
    if (path !== "" && (await isLink(join(home, path)))) continue; // it is copied
    mounts.push({ path: join(home, path), access: "write", from: await makeOwnFolder(own, path) });
  }
  if (!isDataDir) mounts.push(...(await listVisible({ home, own, replaced: [...entries.map(({ path }) => path), ...caches] })));
  for (const path of secrets) mounts.push({ path: join(home, path), access: "none" });
  for (const path of kept) mounts.push({ path: join(home, path), access: "write", from: await makeOwnFolder(own, path) });
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
  const ownFolder = await makeOwnFolder(own, below);
  if (below !== "") mounts.push({ path: join(home, below), access: "write", from: ownFolder });
  for (const entry of await readdir(join(home, below), { withFileTypes: true }).catch(() => [])) {
    const relative = below === "" ? entry.name : `${below}/${entry.name}`;
    const path = join(home, relative);
    if (replaced.includes(relative)) continue;
    await removeLink(join(ownFolder, entry.name));
    if (entry.isDirectory() && replaced.some((other) => other.startsWith(`${relative}/`))) {
      mounts.push(...(await listVisible({ home, own, replaced, below: relative })));
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(path), join(ownFolder, entry.name)).catch(() => {}); // the agent has a file there
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
  if (isFile) {
    const ownPlace = join(await makeOwnFolder(own, listParents(path).at(-1) ?? ""), basename(path));
    if (!(await exists(ownPlace))) await copyFile(place, ownPlace, constants.COPYFILE_EXCL).catch(() => {}); // it has none
    return [];
  }
  const ownPlace = await makeOwnFolder(own, path);
  const shown = await existing(place, [...reads, ...shares]);
  for (const name of shown) await removeLink(join(ownPlace, name));
  return [
    { path: place, access: "write", from: ownPlace },
    ...shown.map((name): SandboxMount => ({ path: join(place, name), access: shares.includes(name) ? "write" : "read" })),
  ];
}

/** Where the attempt's own files of one folder of its home are; "": of the home itself. */
async function makeOwnFolder(own: string, path: string): Promise<string> {
  const toFolder = (name: string) => join(own, name === "" ? "home" : encodeURIComponent(name));
  const folder = toFolder(path);
  if (path !== "") await removeLink(join(toFolder(listParents(path).at(-1) ?? ""), basename(path)));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** `a/b/c`: `a`, `a/b`. */
function listParents(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

async function removeLink(path: string): Promise<void> {
  if (await isLink(path)) await rm(path);
}

/** The names that exist in a folder. */
async function existing(folder: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => exists(join(folder, name))));
  return names.filter((_, index) => found[index]);
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)));
  return first === second;
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}${sep}`);
