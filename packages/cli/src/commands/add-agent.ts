import { mkdirSync } from "node:fs";
import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { agentCatalogueSchema, agentInfoSchema, agentListSchema } from "@skein/contracts";
import { addCustomAgent, ConfigError } from "@skein/server";
import { CliError } from "../cli-error.ts";
import { createApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { findRunningServer } from "../client/running-server.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { toCommandLine } from "../terminal/command-line.ts";

interface AddOptions {
  home?: string;
  custom?: boolean;
  name?: string;
  env: string[];
}

/** `skein agents add` */
export async function addAgent(id: string, command: string[], options: AddOptions): Promise<number> {
  return options.custom ? addCustom(id, command, options) : addFromCatalogue(id, command, options);
}

async function addFromCatalogue(id: string, command: string[], options: AddOptions): Promise<number> {
  if (command.length > 0 || options.name !== undefined || options.env.length > 0) {
    throw new CliError("A command, --name and --env are for a program of your own: add --custom.", { exitCode: exitCode.usage });
  }
  await using connection = await connect(options);
  const { client } = connection;
  const { entries } = await client.get("/api/agent-catalogue", agentCatalogueSchema);
  const entry = entries.find((known) => known.id === id);
  if (entry === undefined) throw new CliError(`The catalogue has no agent “${id}”.`, { hint: "List them: skein agents catalogue" });
  const added = await client.post("/api/agents", { catalogueId: id, hash: entry.hash }, agentInfoSchema);
  console.log(`Added ${added.name} ${entry.version} as ${added.id}. It runs: ${toCommandLine(entry.command)}`);
  if (!added.available && added.hint !== undefined) console.log(added.hint);
  return exitCode.success;
}

/** Written to config.json, not sent: no request names a program. */
async function addCustom(id: string, command: string[], options: AddOptions): Promise<number> {
  const usage = { exitCode: exitCode.usage };
  if (!/^(?:acp|command):[A-Za-z0-9._-]+$/.test(id)) {
    throw new CliError(`“${id}” is not an id for an agent of your own. Use acp:<name> or command:<name>.`, usage);
  }
  if (command.length === 0) throw new CliError(`The program is missing: skein agents add --custom ${id} -- <program> [arguments]`, usage);
  const home = resolveHome(options.home);
  const environment = await readVariables(options.env);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    addCustomAgent(home, { id, name: options.name, command, environment });
  } catch (cause) {
    if (cause instanceof ConfigError) throw new CliError(cause.message, { cause });
    throw cause;
  }
  console.log(`Added ${options.name ?? id} as ${id}. It runs: ${toCommandLine(command)}`);
  const running = await findRunningServer(home);
  if (running === undefined) return exitCode.success;
  const { agents } = await createApiClient(running).get("/api/agents?refresh=true", agentListSchema);
  const { available, hint } = agents.find((agent) => agent.id === id) ?? {};
  if (!available && hint !== undefined) console.log(hint);
  return exitCode.success;
}

async function readVariables(given: readonly string[]): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  using secrets = openSecrets();
  for (const text of given) {
    const at = text.indexOf("=");
    const name = at < 0 ? text : text.slice(0, at);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new CliError(`“${name}” is not the name of a variable.`, { exitCode: exitCode.usage });
    }
    variables[name] = at < 0 ? await secrets.ask(name) : text.slice(at + 1);
  }
  return variables;
}

/** Typed without echo, or piped, one per line: other users can see a command line, and the shell's history keeps it. */
function openSecrets(): Disposable & { ask(name: string): Promise<string> } {
  let lines: Interface | undefined;
  let answers: AsyncIterator<string> | undefined;
  return {
    async ask(name) {
      process.stderr.write(`Value of ${name} (not shown): `);
      const output = new Writable({ write: (_chunk, _encoding, done) => done() });
      lines ??= createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
      // readline consumes Ctrl-C while it reads; the process must get it
      if (answers === undefined) lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
      answers ??= lines[Symbol.asyncIterator]();
      const { value, done } = await answers.next();
      process.stderr.write("\n");
      if (done || value === "") throw new CliError(`No value was given for ${name}.`);
      return value;
    },
    [Symbol.dispose]: () => lines?.close(),
  };
}
