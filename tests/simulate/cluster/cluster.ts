import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Project, Worker, WorkerInvitation } from "@skein/contracts";
import { openServerQueries, type ServerQueries } from "../../../packages/storage/src/postgres/__fixtures__/query-server.ts";
import { findFreePort, startPostgres, type TestPostgres } from "../../../scripts/setup/postgres.mjs";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { newRepository } from "../../support/repository.ts";
import type { Violations } from "../checks/violations.ts";
import type { SimulationOptions } from "../options.ts";
import { endProcesses } from "./end-processes.ts";
import { type Network, startNetwork } from "./network.ts";
import { createSkeinProcess, type SkeinProcess } from "./skein-process.ts";

export interface SimulatedServer {
  name: string;
  process: SkeinProcess;
  url: string;
  /** The address that event streams use: through a proxy. */
  clientUrl: string;
  readonly api: ApiClient;
  projectId: string;
  /** Of its project. */
  repository: string;
}

export interface SimulatedWorker {
  name: string;
  id: string;
  process: SkeinProcess;
  /** The server that its projects are on, and that it connects to first. */
  server: SimulatedServer;
  /** Its connections in the network, one for each server that it knows. */
  connections: readonly string[];
}

/** A database, servers and workers, all of them real, with a network in between. */
export interface Cluster {
  folder: string;
  /** Where agents write what they print. */
  journals: string;
  postgres: TestPostgres;
  database: ServerQueries;
  network: Network;
  servers: SimulatedServer[];
  workers: SimulatedWorker[];
}

const startPatienceMs = 120_000;
const agentProgram = fileURLToPath(new URL("../agent/agent-program.mjs", import.meta.url));

export async function startCluster(input: {
  options: SimulationOptions;
  folder: string;
  /** The built `skein.js`. */
  program: string;
  violations: Violations;
  signal: AbortSignal;
  onProgress(text: string): void;
}): Promise<Cluster> {
  const { folder } = input;
  const journals = join(folder, "journals");
  mkdirSync(journals);
  const postgres = await startPostgres({ durable: true });
  if (postgres === undefined) throw new Error("Postgres is not installed: run npm test once, or install its package.");
  const url = new URL(postgres.url);
  url.pathname = "/skein";
  const setUp = openServerQueries(postgres.url);
  await setUp.query("CREATE DATABASE skein ENCODING 'UTF8' TEMPLATE template0");
  await setUp.close();
  const database = openServerQueries(url.href);
  await database.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  const network = startNetwork();
  const cluster: Cluster = { folder, journals, postgres, database, network, servers: [], workers: [] };
  try {
    await startAll(cluster, { ...input, databaseUrl: url });
    return cluster;
  } catch (error) {
    await endCluster(cluster, { keep: false });
    throw error;
  }
}

async function startAll(
  cluster: Cluster,
  input: {
    options: SimulationOptions;
    program: string;
    violations: Violations;
    signal: AbortSignal;
    onProgress(text: string): void;
    databaseUrl: URL;
  },
): Promise<void> {
  const { options, signal, onProgress } = input;
  const secret = randomUUID();
  for (let index = 0; index < options.servers; index++) {
    signal.throwIfAborted();
    onProgress(`server ${index + 1} of ${options.servers}`);
    await startServer(cluster, { ...input, name: `server-${index + 1}`, secret });
  }
  for (let index = 0; index < options.workers; index++) {
    signal.throwIfAborted();
    onProgress(`worker ${index + 1} of ${options.workers}`);
    await startWorker(cluster, { ...input, index });
  }
}

/** Ends everything, also after a failure: nothing that was started here may outlive it. */
export async function endCluster(cluster: Cluster, { keep }: { keep: boolean }): Promise<void> {
  const { servers, workers, network, database, postgres, journals } = cluster;
  for (const { process } of [...workers, ...servers]) await process.kill();
  endProcesses(journals);
  network.close();
  await database.close();
  await postgres.stop({ keep });
}

function writeConfig(home: string, journals: string): void {
  mkdirSync(home, { recursive: true });
  const command = [process.execPath, "--max-semi-space-size=1", agentProgram, journals];
  writeFileSync(
    join(home, "config.json"),
    JSON.stringify({ agents: { "claude-code": { command, environment: { ANTHROPIC_API_KEY: "none" } } } }),
  );
}

async function startServer(
  { folder, journals, network, servers }: Cluster,
  input: { options: SimulationOptions; program: string; violations: Violations; name: string; databaseUrl: URL; secret: string },
): Promise<void> {
  const { name, options } = input;
  const home = join(folder, name);
  writeConfig(home, journals);
  const port = await findFreePort();
  const databaseUrl = new URL(input.databaseUrl);
  databaseUrl.port = String(await network.open(`database-${name}`, { port: Number(input.databaseUrl.port) }));
  const internal = await network.open(`node-${name}`, { port });
  const clients = await network.open(`clients-${name}`, { port });
  const process = createSkeinProcess({
    ...{ name, home, program: input.program, violations: input.violations },
    args: () => ["serve", "--home", home, "--port", String(port), "--no-open"],
    environment: {
      SKEIN_DATABASE_URL: databaseUrl.href,
      SKEIN_NODE_NAME: name,
      SKEIN_NODE_LEASE_SECONDS: String(options.leaseSeconds),
      SKEIN_NODE_GIVE_UP_MINUTES: "60",
      SKEIN_INTERNAL_URL: `http://127.0.0.1:${internal}`,
      SKEIN_CLUSTER_SECRET: input.secret,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const server: SimulatedServer = {
    ...{ name, process, url, clientUrl: `http://127.0.0.1:${clients}`, projectId: "", repository: newRepository(name) },
    get api() {
      return createApiClient({ url, token: readFileSync(join(home, "token"), "utf8").trim() });
    },
  };
  servers.push(server);
  process.start();
  await waitUntil(() => isReady(server), `${name} did not start:\n${process.output}`);
  const project = await server.api.request<Project>("POST", "/api/projects", { path: server.repository });
  server.projectId = project.id;
}

async function startWorker(
  { folder, journals, network, servers, workers }: Cluster,
  input: { options: SimulationOptions; program: string; violations: Violations; index: number },
): Promise<void> {
  const { options, index } = input;
  const name = `worker-${index + 1}`;
  const home = join(folder, name);
  writeConfig(home, journals);
  const server = servers[index % servers.length];
  if (server === undefined) throw new Error("There is no server.");
  const others = options.failover ? servers.filter((one) => one !== server) : [];
  const connections: string[] = [];
  const urls: string[] = [];
  for (const one of [server, ...others]) {
    const connection = `worker-${name}-${one.name}`;
    connections.push(connection);
    urls.push(`http://127.0.0.1:${await network.open(connection, { port: Number(new URL(one.url).port), rewritesHost: true })}`);
  }
  const { id, code } = await server.api.request<WorkerInvitation>("POST", "/api/workers", { name });
  const capacity = Math.ceil(options.executions / Math.max(1, options.workers)) + 4;
  const args = ["worker", ...urls.flatMap((url) => ["--server", url]), "--token", code, "--name", name, "--home", home];
  const process = createSkeinProcess({
    ...{ name, home, program: input.program, violations: input.violations, environment: {} },
    args: () => [...args, "--capacity", String(capacity)],
  });
  const worker = { name, id, process, server, connections };
  workers.push(worker);
  process.start();
  await waitUntil(() => isConnected(worker), `${name} did not connect:\n${process.output}`);
}

/** Which server looks after which running execution, and which holds the connection of its worker. Empty while the database is down. */
export async function findOwners({ database }: Cluster): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await database
    .query<{ id: string; owner: string | null; holder: string | null }>(
      `SELECT executions.id, owners.name AS owner, holders.name AS holder FROM executions JOIN attempts ON attempts.id = executions.attempt_id
       LEFT JOIN hosts ON hosts.id = attempts.host_id LEFT JOIN nodes AS owners ON owners.id = executions.owner_node
       LEFT JOIN nodes AS holders ON holders.id = hosts.connected_node_id WHERE executions.status = 'running'`,
    )
    .catch(() => []);
  return new Map(rows.map(({ id, owner, holder }) => [id, [owner, holder].flatMap((name) => name ?? [])]));
}

export async function isReady({ url }: Pick<SimulatedServer, "url">): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/health", url), { signal: AbortSignal.timeout(5000) });
    return response.ok && ((await response.json()) as { status: string }).status === "ready";
  } catch {
    return false;
  }
}

export async function isConnected({ id, server }: Pick<SimulatedWorker, "id" | "server">): Promise<boolean> {
  try {
    const workers = await server.api.request<Worker[]>("GET", "/api/workers");
    return workers.some((worker) => worker.id === id && worker.isConnected);
  } catch {
    return false;
  }
}

/** Polls: processes are started and killed from outside, and report nothing here. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  otherwise: string,
  patienceMs = startPatienceMs,
): Promise<void> {
  for (const until = Date.now() + patienceMs; !(await condition()); await wait(100)) {
    if (Date.now() > until) throw new Error(otherwise);
  }
}
