import { Command, CommanderError } from "commander";
import { exitCode } from "./exit-code.ts";
import { addAgentAccessCommands } from "./grammar/agent-access-commands.ts";
import { addAgentCommands } from "./grammar/agent-commands.ts";
import { addAutomationCommands } from "./grammar/automation-commands.ts";
import { addBranchCommands } from "./grammar/branch-commands.ts";
import { addDataCommands } from "./grammar/data-commands.ts";
import { addServerCommands } from "./grammar/server-commands.ts";
import { addTaskCommands } from "./grammar/task-commands.ts";
import { addTeamCommands } from "./grammar/team-commands.ts";
import { type Action, type Choose, examples } from "./grammar/terms.ts";
import { addWorkerCommands } from "./grammar/worker-commands.ts";
import { refusePlatform } from "./refuse-platform.ts";
import { reportError } from "./report-error.ts";
import { handleOutputError } from "./terminal/output-errors.ts";
import { version } from "./version.ts";

/** Runs one command line; usage errors and `--help` end here as well. */
export async function runProgram(args: string[]): Promise<number> {
  const refusal = refusePlatform(process.platform);
  if (refusal !== undefined) {
    console.error(refusal);
    return exitCode.failed;
  }
  // it stays: the error of a closed pipe arrives after the output was written
  if (!process.stdout.listeners("error").includes(handleOutputError)) process.stdout.on("error", handleOutputError);
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
  }
}

/** The grammar of the command line. A parsed command is passed to `choose`, not run. */
export function createProgram(choose: Choose): Command {
  const program = new Command("skein")
    .description("A local-first workbench for AI coding agents")
    .version(version, "-v, --version")
    .exitOverride()
    .showHelpAfterError("For all commands: skein --help")
    .addHelpText("after", examples("skein serve", 'skein run "Fix the failing test" --repo ~/code/app', "skein tasks"));

  addServerCommands(program, choose);
  addTaskCommands(program, choose);
  addAutomationCommands(program, choose);
  addBranchCommands(program, choose);
  addAgentCommands(program, choose);
  addDataCommands(program, choose);
  addWorkerCommands(program, choose);
  addTeamCommands(program, choose);
  addAgentAccessCommands(program, choose);

  // each command has its own copy of this setting: without it, a usage error would end the process
  for (const command of program.commands) {
    const all = [command, ...command.commands];
    for (const one of all) one.exitOverride().showHelpAfterError(`For its options: skein ${command.name()} --help`);
  }
  return program;
}
