import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { attemptSchema } from "@skein/contracts";
import { type Editor, type EditorPlace, editors, fillEditorCommand, toEditorCommand } from "@skein/engine";
import { loadConfig } from "@skein/server";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";

export interface OpenOptions {
  home?: string;
  /** True: the one of the settings. */
  editor: Editor | true;
  /** In the attempt's folder, perhaps with `:<line>`. */
  file?: string;
}

/** `skein open <id> --editor`: opens an attempt's folder in an editor of this machine. Waits for the command, which usually returns at once. */
export async function openInEditor(id: string, options: OpenOptions): Promise<number> {
  const prefix = parseIdPrefix(id);
  await using connection = await connect(options);
  const { client } = connection;
  const attempt = await client.get(`/api/attempts/${await resolveAttempt(client, prefix)}`, attemptSchema);
  const { directory } = attempt;
  if (attempt.hostId) throw new CliError(`The attempt is on a worker. Its folder there: ${directory}`);
  if (statSync(directory, { throwIfNoEntry: false }) === undefined)
    throw new CliError(`The folder ${directory} does not exist.`, { hint: "Send the attempt a message: its folder is made again." });
  const [program = "", ...args] = toCommand({ directory, ...parseFile(options.file) }, options);
  const child = spawn(program, args, { stdio: "inherit", cwd: directory });
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    return code === 0 ? exitCode.success : exitCode.failed;
  } catch (cause) {
    throw new CliError(`${program} cannot be started.`, {
      hint: `Install its command, choose another editor (--editor ${editors.join("|")}), or name a command in config.json: "editor": ["vim", "+{line}", "{path}"]`,
      cause,
    });
  }
}

function toCommand(place: EditorPlace, { editor, home }: OpenOptions): string[] {
  const chosen = editor === true ? (loadConfig({ home: resolveHome(home) }).editor ?? "vscode") : editor;
  return typeof chosen === "string" ? toEditorCommand(chosen, place) : fillEditorCommand(chosen, place);
}

/** `src/a.ts:12` */
function parseFile(file: string | undefined): Pick<EditorPlace, "path" | "line"> {
  const [, path, line] = /^(.+?)(?::(\d+))?$/.exec(file ?? "") ?? [];
  return { path, line: line === undefined ? undefined : Number(line) };
}
