import { attemptSchema, type Worker, workerInvitationSchema, workerSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { type ApiClient, createApiClient } from "../client/api-client.ts";
import { findRunningServer } from "../client/running-server.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { resolveHome } from "../home.ts";
import { parseIdPrefix, resolveId } from "../ids/resolve-id.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

interface Options {
  home?: string;
  json?: boolean;
}

/** Workers are connected to a server that is running: one that is started for a command has none. */
async function connect(options: Options): Promise<ApiClient> {
  const home = resolveHome(options.home);
  const server = await findRunningServer(home);
  if (server === undefined) throw new CliError(`No Skein server is running for ${home}.`, { hint: "Start one first: skein serve" });
  return createApiClient(server);
}

/** `skein workers`: lists the workers. */
export async function workers(options: Options): Promise<number> {
  const found = await listWorkers(await connect(options));
  console.log(options.json ? JSON.stringify(found, null, 2) : format(found));
  return exitCode.success;
}

/** `skein workers invite`: prints the command that starts a worker. */
export async function inviteWorker(options: Options & { name?: string }): Promise<number> {
  const client = await connect(options);
  const invitation = await client.post("/api/workers", options.name === undefined ? {} : { name: options.name }, workerInvitationSchema);
  if (options.json) console.log(JSON.stringify(invitation, null, 2));
  else console.log(`Run this on the other machine, within an hour. The code can be used once.\n\n  ${invitation.command}`);
  return exitCode.success;
}

/** `skein workers drain` and `activate`. */
export async function changeWorker(choice: string, state: "active" | "draining", options: Options): Promise<number> {
  const client = await connect(options);
  const { id } = await findWorker(client, choice);
  const body = JSON.stringify({ state });
  const response = await client.request(`/api/workers/${id}`, { method: "PATCH", headers: { "content-type": "application/json" }, body });
  const changed = workerSchema.parse(await response.json());
  if (options.json) console.log(JSON.stringify(changed, null, 2));
  else if (state === "active") console.log(`${changed.name} starts agents again.`);
  else console.log(`${changed.name} starts no more agents. Still running: ${changed.running}.`);
  return exitCode.success;
}

/** `skein workers remove`: ends its access for good. */
export async function removeWorker(choice: string, options: Options): Promise<number> {
  const client = await connect(options);
  const { id, name } = await findWorker(client, choice);
  await client.request(`/api/workers/${id}`, { method: "DELETE" });
  console.log(`Removed ${name}. What ran there is interrupted; its attempts can be moved: skein attempts move <id> <worker>`);
  return exitCode.success;
}

/** `skein attempts move`. */
export async function moveAttempt(id: string, target: string, options: Options): Promise<number> {
  const prefix = parseIdPrefix(id);
  const client = await connect(options);
  const { attemptId } = await resolveId(client, prefix);
  if (attemptId === null) throw new CliError("This task has no attempt to move.");
  const moved = await client.post(`/api/attempts/${attemptId}/move`, { host: target === "server" ? null : target }, attemptSchema);
  if (options.json) console.log(JSON.stringify(moved, null, 2));
  else console.log(`Moved to ${target === "server" ? "the server" : target}: ${moved.directory}`);
  return exitCode.success;
}

function listWorkers(client: ApiClient): Promise<Worker[]> {
  return client.get("/api/workers", workerSchema.array());
}

async function findWorker(client: ApiClient, choice: string): Promise<Worker> {
  const found = (await listWorkers(client)).filter(({ id, name }) => id === choice || name === choice);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const hint = "List them: skein workers";
  throw new CliError(first === undefined ? `There is no worker ${choice}.` : `Several workers are called ${choice}: use the id.`, { hint });
}

function format(found: readonly Worker[]): string {
  if (found.length === 0) return "There are no workers. To add one: skein workers invite";
  const rows = found.map(({ id, name, state, isConnected, tags, running, waiting, capacity, agents, version, isOtherVersion }) => [
    toRevealedLine(name),
    state === "active" ? (isConnected ? "connected" : "offline") : state === "draining" && !isConnected ? "draining, offline" : state,
    `${running}/${capacity}${waiting === 0 ? "" : `, ${waiting} waiting`}`,
    tags.join(", "),
    agents.flatMap((agent) => (agent.available ? [agent.id] : [])).join(", "),
    isOtherVersion ? `${version} (not the server's)` : version,
    id,
  ]);
  const failed = found.flatMap(({ name, fetches }) =>
    fetches.flatMap(({ state, projectId, text }) =>
      state === "failed" ? [`${toRevealedLine(name)} could not fetch ${projectId} from its remote: ${toRevealedLine(text)}`] : [],
    ),
  );
  return [formatTable(["WORKER", "STATE", "RUNNING", "TAGS", "AGENTS", "VERSION", "ID"], rows), ...failed].join("\n");
}
