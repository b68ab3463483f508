import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { executionMarker } from "../../../packages/host/src/runner/execution-marker.ts";
import { git } from "../../support/repository.ts";
import { type Cluster, waitUntil } from "../cluster/cluster.ts";
import type { Violations } from "./violations.ts";

const patienceMs = 60_000;
/** Servers look every minute. */
const tidyPatienceMs = 120_000;

/**
 * When everything has ended: no process of an agent, no folder or branch without an attempt, no attempt without its folder. Servers remove
 * within a minute what interrupted starts have left.
 */
export async function checkLeftovers({ cluster, violations }: { cluster: Cluster; violations: Violations }): Promise<void> {
  const { database } = cluster;
  const executions = new Set((await database.query<{ id: string }>("SELECT id FROM executions")).map(({ id }) => id));
  const living = () => listMarkedProcesses(executions, cluster.journals);
  await waitUntil(() => living().length === 0, "", patienceMs).catch(() => {});
  for (const text of living()) violations.add("no process is left", text);

  const attempts = await database.query<{ id: string; directory: string; branch: string }>("SELECT id, directory, branch FROM attempts");
  for (const { id, directory } of attempts) {
    if (!existsSync(directory)) violations.add("every attempt has its folder", `${id}: ${directory}`);
  }
  const known = new Set(attempts.flatMap(({ directory, branch }) => [directory, branch]));
  const listLeft = (): string[] => {
    const homes = [...cluster.servers, ...cluster.workers].map(({ process }) => process.home);
    const branches = cluster.servers.flatMap(({ repository }) =>
      git(repository, "for-each-ref", "--format=%(refname:short)", "refs/heads/skein").split("\n").filter(Boolean),
    );
    const folders = homes.flatMap((home) => listWorktrees(join(home, "worktrees")));
    const notes = homes.flatMap((home) => (existsSync(join(home, "creations")) ? readdirSync(join(home, "creations")) : []));
    return [...[...folders, ...branches].filter((one) => !known.has(one)), ...notes];
  };
  await waitUntil(() => listLeft().length === 0, "", tidyPatienceMs).catch(() => {});
  for (const left of listLeft()) violations.add("no worktree and no branch is left", left);
}

/** By the mark in their environment, or as an agent: thousands of executions are looked up in one pass. */
function listMarkedProcesses(executions: ReadonlySet<string>, journals: string): string[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return ""; // it has ended, or is another user's
    }
  };
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const mark = new RegExp(`(?:^|\0)${executionMarker}=([^\0]*)`).exec(read(`/proc/${pid}/environ`))?.[1];
    const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
    return executions.has(mark ?? "") || command.includes(journals) ? [`process ${pid} of ${mark}: ${command}`] : [];
  });
}

/** Worktrees are two levels below: of a project, and of an attempt. */
function listWorktrees(root: string): string[] {
  const list = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))
      : [];
  return list(root).flatMap((folder) => (existsSync(join(folder, ".git")) ? [folder] : list(folder)));
}

/** While all servers run: each has its lease, and nothing is stored as running. After they were stopped: no lease and no session. */
export async function checkLeases({
  cluster,
  violations,
  when,
}: {
  cluster: Cluster;
  violations: Violations;
  when: "running" | "stopped";
}): Promise<void> {
  const { database } = cluster;
  const expected = when === "running" ? "active" : "stopped";
  for (const { name, state } of await database.query<{ name: string; state: string }>("SELECT name, state FROM nodes")) {
    if (state !== expected) violations.add("no lease is left", `${name} is ${state}, not ${expected}`);
  }
  const [row] = await database.query<{ count: string }>("SELECT count(*) FROM executions WHERE status = 'running'");
  if (Number(row?.count) > 0) violations.add("executions end", `${row?.count} are stored as running`);
  if (when === "running") return;
  const list = async (): Promise<string[]> => {
    const rows = await database.query<{ session: string }>(
      `SELECT concat_ws(' | ', application_name, state, wait_event, backend_start, state_change, left(query, 200)) AS session
       FROM pg_stat_activity WHERE datname = 'skein' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    return rows.map(({ session }) => session);
  };
  await waitUntil(async () => (await list()).length === 0, "", 10_000).catch(() => {});
  for (const session of await list()) violations.add("no session is left", `after all servers were stopped: ${session}`);
}
