import type { RequestProvider } from "@skein/contracts";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { exitCode } from "./exit-code.ts";
import { reportError } from "./report-error.ts";
import { handleOutputError } from "./terminal/output-errors.ts";
import { version } from "./version.ts";

/** What a command's module is loaded for, only when that command is given: `serve` must not wait for the others. */
type Action = () => Promise<number>;

/** Runs one command line; usage errors and `--help` end here as well. */
export async function runProgram(args: string[]): Promise<number> {
  process.stdout.on("error", handleOutputError);
  let chosen: Action | undefined;
  const program = createProgram((action) => {
    chosen = action;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    if (chosen === undefined) return exitCode.success;
    return await chosen();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.usage;
    return reportError(error);
  } finally {
    process.stdout.off("error", handleOutputError);
  }
}

/** The command line's grammar. A parsed command is handed to `choose`, not run. */
export function createProgram(choose: (action: Action) => void): Command {
  const program = new Command("skein")
    .description("A local-first workbench for AI coding agents")
    .version(version, "-v, --version")
    .exitOverride()
    .showHelpAfterError("(skein --help shows every command)");

  program
    .command("serve")
    .description("start the server and its web UI")
    .option("--port <number>", "port to listen on (0: any free one)", toPort)
    .option("--host <address>", "address to listen on; others than this machine's need --behind-proxy or TLS")
    .addOption(homeOption())
    .option("--behind-proxy", "a proxy with TLS stands before it")
    .option("--public-url <url>", "the address that people use, when it is another one")
    .option("--tls-cert <file>", "certificate chain (PEM)")
    .option("--tls-key <file>", "private key of the certificate (PEM)")
    .option("--no-open", "do not open a browser")
    .action((options) => choose(async () => (await import("./commands/serve.ts")).serve(options)));

  program
    .command("run")
    .description("do one task in the foreground")
    .argument("<prompt>", "what to do; - reads it from standard input")
    .option("--agent <id>", "native, claude-code, codex, gemini, opencode or acp:<name>")
    .option("--repo <dir>", "a folder in the git repository to work on", ".")
    .option("--model <id>", "the agent's model; for native: <provider>/<model>")
    .addOption(new Option("--permission-mode <mode>", "what the agent may do unasked").choices(["plan", "ask", "accept-edits", "full"]))
    .option("--in-place", "work in the folder itself, not in a worktree of its own")
    .option("--title <text>", "title of the task (default: the prompt's first line)")
    .option("--json", "print each event as one line of JSON, and nothing else")
    .addOption(homeOption())
    .action((prompt, options) => choose(async () => (await import("./commands/run.ts")).run(prompt, options)));

  addAgentCommands(program.command("agents").description("list, add and remove agents"), choose);

  program
    .command("tasks")
    .description("list the tasks")
    .option("--project <id or folder>", "only those of one project")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await import("./commands/tasks.ts")).tasks(options)));

  program
    .command("show")
    .description("print the conversation of a task's active attempt, or of an attempt")
    .argument("<id>", "tsk_… or att_…")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await import("./commands/show.ts")).show(id, options)));

  program
    .command("context")
    .description("show what the model of an attempt would see next")
    .argument("<attempt-id>", "att_…")
    .addOption(new Option("--provider <provider>", "in whose format (default: the model's own)").choices(requestProviders))
    .option("--message <text>", "the next message (default: a placeholder)")
    .option("--json", "print JSON, with the whole request body")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await import("./commands/context.ts")).context(id, options)));

  program
    .command("export")
    .description("write an attempt with its conversation")
    .argument("<attempt-id>", "att_…")
    .addOption(new Option("--format <format>", "what to write").choices(["json", "markdown"]).default("json"))
    .option("--out <file>", "write to a file (default: standard output)")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await import("./commands/export.ts")).exportAttempt(id, options)));

  program
    .command("backup")
    .description("write a copy of the database, logs and settings; the server may run")
    .argument("[folder]", "where to (default: a new folder in <data dir>/backups)")
    .option("--database-only", "the database alone, in a file")
    .addOption(homeOption())
    .action((file, options) => choose(async () => (await import("./commands/backup.ts")).backup(file, options)));

  program
    .command("restore")
    .description(
      "put a backup in the database's place and bring back missing logs and settings, while no server runs; without one, list the backups",
    )
    .argument("[backup]", "a folder that `skein backup` wrote, or the copy of a database")
    .option("--empty", "begin with an empty database instead")
    .addOption(homeOption())
    .action((file, options) => choose(async () => (await import("./commands/restore.ts")).restore(file, options)));

  program
    .command("quarantine")
    .description("list, recover or delete executions whose logs are here and which the database does not know")
    .addArgument(new Argument("[action]", "what to do").choices(["list", "recover", "stop", "delete"]).default("list"))
    .argument("[ids...]", "exe_…")
    .option("--all", "all of them")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((action, ids, options) => choose(async () => (await import("./commands/quarantine.ts")).quarantine(action, ids, options)));

  program
    .command("doctor")
    .description("check what Skein needs on this machine")
    .addOption(homeOption())
    .action((options) => choose(async () => (await import("./commands/doctor.ts")).doctor(options)));

  program
    .command("open")
    .description("print and open a link that signs a browser in")
    .addOption(homeOption())
    .option("--no-open", "only print it")
    .action((options) => choose(async () => (await import("./commands/open.ts")).open(options)));

  // A sub-command has its own copy of how to end: without this, its usage errors would end the process.
  for (const command of program.commands) {
    const all = [command, ...command.commands];
    for (const one of all) one.exitOverride().showHelpAfterError(`(skein ${command.name()} --help shows its options)`);
  }
  return program;
}

function addAgentCommands(agents: Command, choose: (action: Action) => void): void {
  const load = () => import("./commands/agents.ts");
  agents
    .command("list", { isDefault: true })
    .description("list the agents, and how to get those that are missing")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await load()).agents(options)));
  agents
    .command("catalogue")
    .description("list the agents that can be added, with the command that each of them runs")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await load()).agentCatalogue(options)));
  agents
    .command("add")
    .description("add an agent of the catalogue, or (--custom) a program of your own: skein agents add --custom acp:mine -- my-agent --acp")
    .argument("<id>", "its id in the catalogue; with --custom acp:<name> for a program that speaks ACP, command:<name> for any other")
    .argument("[command...]", "with --custom: the program and its arguments, after --")
    .option("--custom", "a program of your own")
    .option("--name <name>", "with --custom: shown instead of the id")
    .option("--env <variable>", "with --custom: NAME=value to set for it; NAME alone asks for the value (repeatable)", collect, [])
    .addOption(homeOption())
    .action((id, command, options) => choose(async () => (await import("./commands/add-agent.ts")).addAgent(id, command, options)));
  agents
    .command("remove")
    .description("remove an agent that was added; its conversations stay")
    .argument("<id>", "acp:<name> or command:<name>")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await load()).removeAgent(id, options)));
  for (const [name, enabled] of [["enable", true] as const, ["disable", false] as const]) {
    agents
      .command(name)
      .description(enabled ? "use an agent again that was disabled" : "keep an agent that was added, and do not start it")
      .argument("<id>", "acp:<name> or command:<name>")
      .addOption(homeOption())
      .action((id, options) => choose(async () => (await load()).setAgentEnabled(id, { ...options, enabled })));
  }
}

const collect = (value: string, before: string[]): string[] => [...before, value];

const requestProviders: readonly RequestProvider[] = ["anthropic", "openai-responses", "openai-chat", "gemini", "scripted"];

const homeOption = () => new Option("--home <dir>", "data dir (default: SKEIN_HOME or ~/.skein)");

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535.");
  return port;
}
