import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { importRunSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { toTerminalText } from "../terminal/terminal-text.ts";
import { followRun, report } from "./import.ts";

interface Options {
  home?: string;
  /** The repository whose project gets the task; default: that of the current folder. */
  repo?: string;
  json?: boolean;
}

/** `skein import <file>`: an attempt that was exported as JSON. */
export async function importFile(file: string, options: Options): Promise<number> {
  const repository = findRepository(options.repo ?? process.cwd());
  const body = await openFile(file);
  await using connection = await connect(options);
  const { client } = connection;
  const project = await findOrAddProject(client, repository);
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const started = importRunSchema.parse(await (await client.request(`/api/import/file?projectId=${project.id}`, init)).json());
  const stopping = new AbortController();
  using _ = onInterrupt(() => stopping.abort());
  const run = await followRun(client, started, stopping.signal);
  report(run, toTerminalText(file), options);
  if (run.state === "stopped") return exitCode.interrupted;
  if (run.state === "failed") return exitCode.failed;
  if (!options.json && run.taskId !== undefined) {
    console.log(`${run.unchanged > 0 ? "It was imported before as" : "Imported as"} ${run.taskId}. Read it: skein show ${run.taskId}`);
  }
  return exitCode.success;
}

/** Read while it is sent. */
async function openFile(file: string): Promise<Blob> {
  try {
    await access(file, constants.R_OK);
    return await openAsBlob(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`${toTerminalText(file)} cannot be read: ${toTerminalText(reason)}`, { exitCode: exitCode.usage, cause });
  }
}
