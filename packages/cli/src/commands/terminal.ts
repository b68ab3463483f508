import { type Terminal, terminalListSchema, terminalSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { attachTerminal, detachKeyName } from "../terminal/attach-terminal.ts";

export interface TerminalOptions {
  home?: string;
  new?: boolean;
  number?: number;
  list?: boolean;
  close?: boolean;
  json?: boolean;
}

/** `skein terminal`: connects the user's terminal to one of an attempt. Returns the exit code of its shell, or 0 after a detach. */
export async function terminal(id: string, options: TerminalOptions): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const path = `/api/attempts/${await resolveAttempt(client, prefix)}/terminals`;
  const { terminals } = await client.get(path, terminalListSchema);
  if (options.list) {
    if (options.json) console.log(JSON.stringify(terminals, null, 2));
    else console.log(terminals.length === 0 ? "This attempt has no terminals." : terminals.map(describe).join("\n"));
    return exitCode.success;
  }
  const found = choose(terminals, options);
  if (options.close) {
    if (found === undefined) throw new CliError("This attempt has no running terminal.");
    await client.request(`${path}/${found.id}`, { method: "DELETE", headers: { "content-type": "application/json" } });
    console.log(`Closed terminal ${found.number}.`);
    return exitCode.success;
  }
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY)
    throw new CliError("skein terminal needs a terminal of its own: its input and output may not be redirected.");
  const size = { columns: Math.min(Math.max(stdout.columns, 2), 1000), rows: Math.min(Math.max(stdout.rows, 1), 1000) };
  const chosen = found ?? (await client.post(path, size, terminalSchema));
  console.log(`Terminal ${chosen.number}. ${detachKeyName} detaches; it keeps running.`);
  const end = await attachTerminal(client, `${path}/${chosen.id}`, size);
  if (end === "detached") {
    console.log(`\nDetached. Attach again: skein terminal ${id} --number ${chosen.number}`);
    return exitCode.success;
  }
  return end.exitCode ?? exitCode.failed;
}

/** The one with the number, or the newest that runs; undefined if a new one is to be opened. */
function choose(terminals: readonly Terminal[], options: TerminalOptions): Terminal | undefined {
  if (options.new) return undefined;
  if (options.number === undefined) return terminals.findLast(({ exit }) => exit === null);
  const found = terminals.find((one) => one.number === options.number);
  if (found === undefined)
    throw new CliError(`This attempt has no terminal ${options.number}.`, { hint: "List them: skein terminal <id> --list" });
  return found;
}

function describe({ number, startedAt, sandboxed, exit }: Terminal): string {
  const state = exit === null ? "running" : exit.lost ? "ended with its machine" : `exited (${exit.exitCode ?? exit.signal ?? "unknown"})`;
  return `${number}  ${state}${sandboxed ? ", in a sandbox" : ""}, since ${new Date(startedAt).toLocaleString()}`;
}
