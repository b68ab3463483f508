import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { type Choose, examples, homeOption, toDays, toSince } from "./terms.ts";

const programs = ["claude-code", "codex", "gemini", "opencode", "vibe-kanban"] as const;

/** A program, or a file: its name has an extension or a folder. */
function toImportSource(text: string): (typeof programs)[number] | { file: string } {
  const program = programs.find((name) => name === text);
  if (program !== undefined) return program;
  if (/[./\\]/.test(text)) return { file: text };
  throw new InvalidArgumentError(`Write the name of a program (${programs.join(", ")}), or of a file such as attempt.json.`);
}

/** Commands that bring data in, keep it safe and move it. */
export function addDataCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Data:");

  program
    .command("import")
    .description(
      "import sessions of Claude Code, Codex, Gemini CLI, opencode and vibe-kanban from this machine, whose files are only read; or an attempt that was exported as JSON",
    )
    .argument("[source]", `only this program (${programs.join(", ")}), or a file that \`skein export\` wrote`, toImportSource)
    .option("--list", "list the sessions that were found, and import nothing")
    .option("--all", "import everything that is new or has grown; needed without a terminal")
    .option("--since <date>", "only sessions with activity since then: a date, or 7d, 12h", toSince)
    .option("--watch", "keep importing new and grown sessions until Ctrl-C")
    .option("--repo <dir>", "with a file: the repository whose project gets the task (default: that of the current folder)")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples("skein import --list", "skein import claude-code --since 7d", "skein import --all --watch", "skein import attempt.json"),
    )
    .action((source, options) =>
      choose(async () =>
        typeof source === "object"
          ? (await import("../commands/import-file.ts")).importFile(source.file, options)
          : (await import("../commands/import.ts")).importSessions(source, options),
      ),
    );

  program
    .command("backup")
    .description("copy the database, logs and settings; the server may be running")
    .argument("[folder]", "destination (default: a new folder in <data dir>/backups)")
    .option("--database-only", "copy only the database, to a file")
    .option("--no-database", "copy only the logs and settings: on Postgres, after pg_dump")
    .addOption(homeOption())
    .addHelpText("after", examples("skein backup", "skein backup /media/disk/skein"))
    .action((file, options) => choose(async () => (await import("../commands/backup.ts")).backup(file, options)));

  program
    .command("restore")
    .description(
      "replace the database with a backup and add missing logs and settings; stop the server first. Without a backup, list the available ones",
    )
    .argument("[backup]", "a folder that `skein backup` wrote, or a copy of the database; with --to, an attempt")
    .option("--empty", "start with an empty database instead")
    .option("--to <place>", "restore the files of an attempt instead: to after an execution (exe_…), or to a safety ref")
    .option("--before", "with --to exe_…: to before that execution")
    .option("--json", "with --to: print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples("skein restore", "skein restore /media/disk/skein", "skein restore tsk_01k8b2xq --to exe_01k8b2xs --before"),
    )
    .action((file, options) =>
      choose(async () =>
        file === undefined || options.to === undefined
          ? (await import("../commands/restore.ts")).restore(file, options)
          : (await import("../commands/branch.ts")).restoreAttempt(file, options),
      ),
    );

  program
    .command("move")
    .description("copy the database to Postgres or back, and compare every row; stop the server first")
    .option("--to <url>", "from SQLite in the data dir to this Postgres database, which must be empty")
    .option("--from <url>", "from this Postgres database to SQLite in the data dir, which must have no database")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples("skein move --to postgres://skein@db.example.com/skein", "skein move --from postgres://skein@db.example.com/skein"),
    )
    .action((options) => choose(async () => (await import("../commands/move.ts")).move(options)));

  program
    .command("clean")
    .description(
      "remove what is not needed any more: worktrees of done tasks, logs, processes that agents left; never work that is nowhere else",
    )
    .option("--dry-run", "print what would be removed and what is kept, and remove nothing")
    .option("--older-than <days>", "only what was not used for that many days", toDays, 7)
    .addOption(new Option("--only <kinds...>", "only these").choices(["worktree", "sandbox-home", "execution-log", "process"]))
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein clean --dry-run", "skein clean", "skein clean --older-than 0 --only worktree"))
    .action((options) => choose(async () => (await import("../commands/clean.ts")).clean(options)));

  program
    .command("quarantine")
    .description("list, recover, stop or delete executions that have a log here but are not in the database")
    .addArgument(new Argument("[action]", "what to do").choices(["list", "recover", "stop", "delete"]).default("list"))
    .argument("[ids...]", "exe_…")
    .option("--all", "all executions that the action applies to")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein quarantine", "skein quarantine recover --all"))
    .action((action, ids, options) => choose(async () => (await import("../commands/quarantine.ts")).quarantine(action, ids, options)));
}
