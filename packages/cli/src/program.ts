import type { RequestProvider } from "@skein/contracts";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { addAgentAccessCommands } from "./commands/agent-access-commands.ts";
import { exitCode } from "./exit-code.ts";
import { reportError } from "./report-error.ts";
import { handleOutputError } from "./terminal/output-errors.ts";
import { version } from "./version.ts";

/** Loads the module of a command only when it runs: `serve` must not wait for the others. */
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

/** The grammar of the command line. A parsed command is passed to `choose`, not run. */
export function createProgram(choose: (action: Action) => void): Command {
  const program = new Command("skein")
    .description("A local-first workbench for AI coding agents")
    .version(version, "-v, --version")
    .exitOverride()
    .showHelpAfterError("For all commands: skein --help")
    .addHelpText("after", examples("skein serve", 'skein run "Fix the failing test" --repo ~/code/app', "skein tasks"));

  program
    .command("serve")
    .description("start the server and its web UI")
    .option("--port <number>", "port to listen on (0: any free port)", toPort)
    .option("--host <address>", "address to listen on; any but the loopback address needs --behind-proxy or TLS")
    .addOption(homeOption())
    .option("--behind-proxy", "the server runs behind a proxy that terminates TLS")
    .option("--public-url <url>", "the address that users open, if it differs")
    .option("--tls-cert <file>", "certificate chain (PEM)")
    .option("--tls-key <file>", "private key of the certificate (PEM)")
    .option("--team", "with users: accounts, roles per project, sign-in")
    .option("--no-open", "do not open a browser")
    .addHelpText("after", examples("skein serve", "skein serve --port 8080 --no-open"))
    .action((options) => choose(async () => (await import("./commands/serve.ts")).serve(options)));

  program
    .command("run")
    .description("run one task in the foreground; exits with 0 when the agent succeeded")
    .argument("<prompt>", "what to do; - reads it from standard input")
    .option("--agent <id>", "native, claude-code, codex, gemini, opencode or acp:<name>")
    .option("--repo <dir>", "a folder in the git repository to work on", ".")
    .option("--model <id>", "the agent's model; for native: <provider>/<model>")
    .addOption(
      new Option("--permission-mode <mode>", "what the agent may do without asking").choices(["plan", "ask", "accept-edits", "full"]),
    )
    .option("--on <worker>", "run it on a worker: an id, a name or a tag (skein workers)")
    .option("--in-place", "work in the repository's own folder instead of a new worktree")
    .option("--session <id>", "continue a session that the agent has in this folder (skein agents sessions); works in place")
    .option("--title <text>", "title of the task (default: the prompt's first line)")
    .option("--json", "print each event as one line of JSON, and nothing else")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples(
        'skein run "Add a --verbose flag" --repo ~/code/app',
        'skein run "Fix the types" --agent claude-code --permission-mode accept-edits',
        "git diff | skein run - --title Review --in-place",
      ),
    )
    .action((prompt, options) => choose(async () => (await import("./commands/run.ts")).run(prompt, options)));

  addAgentCommands(program.command("agents").description("list, add and remove agents"), choose);

  program
    .command("tasks")
    .description("list the tasks with their state; what runs or waits for you comes first")
    .option("--project <project>", "only tasks of this project: a folder, name or id")
    .option("--all", "include archived tasks")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein tasks", "skein tasks --project ~/code/app"))
    .action((options) => choose(async () => (await import("./commands/tasks.ts")).tasks(options)));

  program
    .command("show")
    .description("print the conversation of a task or an attempt, and what is queued")
    .argument("<id>", idText)
    .addOption(homeOption())
    .addHelpText("after", examples("skein show tsk_01k8b2xq", "skein show 01k8b2xq"))
    .action((id, options) => choose(async () => (await import("./commands/show.ts")).show(id, options)));

  program
    .command("diff")
    .description("print what an attempt has changed since its base commit")
    .argument("<id>", idText)
    .option("--stat", "only the files and the number of lines")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein diff tsk_01k8b2xq", "skein diff att_01k8b2xr --stat"))
    .action((id, options) => choose(async () => (await import("./commands/diff.ts")).diff(id, options)));

  addBranchCommands(program, choose);
  addWorkerCommands(program, choose);

  program
    .command("resume")
    .description("send the messages of a paused queue")
    .argument("<id>", idText)
    .addOption(homeOption())
    .addHelpText("after", examples("skein resume tsk_01k8b2xq"))
    .action((id, options) => choose(async () => (await import("./commands/resume.ts")).resume(id, options)));

  program
    .command("import")
    .description("import sessions of Claude Code, Codex, Gemini CLI, opencode and vibe-kanban from this machine; their files are only read")
    .addArgument(new Argument("[source]", "only this program").choices(["claude-code", "codex", "gemini", "opencode", "vibe-kanban"]))
    .option("--list", "list the sessions that were found, and import nothing")
    .option("--all", "import everything that is new or has grown; needed without a terminal")
    .option("--since <date>", "only sessions with activity since then: a date, or 7d, 12h", toSince)
    .option("--watch", "keep importing new and grown sessions until Ctrl-C")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein import --list", "skein import claude-code --since 7d", "skein import --all --watch"))
    .action((source, options) => choose(async () => (await import("./commands/import.ts")).importSessions(source, options)));

  program
    .command("context")
    .description("print the next request to the model of an attempt")
    .argument("<id>", idText)
    .addOption(new Option("--provider <provider>", "format of the request (default: that of the model)").choices(requestProviders))
    .option("--message <text>", "the next message (default: a placeholder)")
    .option("--json", "print JSON with the whole request body")
    .addOption(homeOption())
    .addHelpText("after", examples("skein context tsk_01k8b2xq", 'skein context att_01k8b2xr --message "Continue" --json'))
    .action((id, options) => choose(async () => (await import("./commands/context.ts")).context(id, options)));

  program
    .command("export")
    .description("export an attempt with its conversation")
    .argument("<id>", idText)
    .addOption(new Option("--format <format>", "output format").choices(["json", "markdown"]).default("json"))
    .option("--out <file>", "write to a file (default: standard output)")
    .addOption(homeOption())
    .addHelpText("after", examples("skein export tsk_01k8b2xq --format markdown --out attempt.md"))
    .action((id, options) => choose(async () => (await import("./commands/export.ts")).exportAttempt(id, options)));

  program
    .command("backup")
    .description("copy the database, logs and settings; the server may be running")
    .argument("[folder]", "destination (default: a new folder in <data dir>/backups)")
    .option("--database-only", "copy only the database, to a file")
    .option("--no-database", "copy only the logs and settings: on Postgres, after pg_dump")
    .addOption(homeOption())
    .addHelpText("after", examples("skein backup", "skein backup /media/disk/skein"))
    .action((file, options) => choose(async () => (await import("./commands/backup.ts")).backup(file, options)));

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
          ? (await import("./commands/restore.ts")).restore(file, options)
          : (await import("./commands/branch.ts")).restoreAttempt(file, options),
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
    .action((options) => choose(async () => (await import("./commands/move.ts")).move(options)));

  program
    .command("quarantine")
    .description("list, recover, stop or delete executions that have a log here but are not in the database")
    .addArgument(new Argument("[action]", "what to do").choices(["list", "recover", "stop", "delete"]).default("list"))
    .argument("[ids...]", "exe_…")
    .option("--all", "all executions that the action applies to")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein quarantine", "skein quarantine recover --all"))
    .action((action, ids, options) => choose(async () => (await import("./commands/quarantine.ts")).quarantine(action, ids, options)));

  program
    .command("nodes")
    .description("list the servers that share the Postgres database, or remove one that will not return")
    .addArgument(new Argument("[action]", "what to do").choices(["list", "remove"]).default("list"))
    .argument("[server]", "name or id (nod_…)")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein nodes", "skein nodes remove build-2"))
    .action((action, server, options) => choose(async () => (await import("./commands/nodes.ts")).nodes(action, server, options)));

  program
    .command("doctor")
    .description("check that this machine has what Skein needs")
    .addOption(homeOption())
    .addHelpText("after", examples("skein doctor"))
    .action((options) => choose(async () => (await import("./commands/doctor.ts")).doctor(options)));

  addTeamCommands(program, choose);
  addAgentAccessCommands(program, choose, { homeOption, examples });

  program
    .command("open")
    .description("print a link that signs a browser in, and open it")
    .addOption(homeOption())
    .option("--no-open", "only print the link")
    .addHelpText("after", examples("skein open", "skein open --no-open"))
    .action((options) => choose(async () => (await import("./commands/open.ts")).open(options)));

  // each command has its own copy of this setting: without it, a usage error would end the process
  for (const command of program.commands) {
    const all = [command, ...command.commands];
    for (const one of all) one.exitOverride().showHelpAfterError(`For its options: skein ${command.name()} --help`);
  }
  return program;
}

/** Users of a server that was started with --team. */
function addTeamCommands(program: Command, choose: (action: Action) => void): void {
  const load = () => import("./commands/users.ts");
  const users = program.command("users").description("list, create, invite and change users (skein serve --team)");
  users
    .command("list", { isDefault: true })
    .description("list the users")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein users"))
    .action((options) => choose(async () => (await load()).listUsers(options)));
  users
    .command("create")
    .description("create a user; asks for the password, or reads it from standard input")
    .argument("<email>", "the address to sign in with")
    .requiredOption("--name <name>", "the name that others see")
    .option("--admin", "an administrator of this server")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein users create ada@example.com --name Ada --admin"))
    .action((email, options) => choose(async () => (await load()).createUser(email, options)));
  users
    .command("invite")
    .description("print a link that creates a user, once")
    .option("--email <email>", "the address of the new user (default: chosen by whoever opens the link)")
    .option("--admin", "an administrator of this server")
    .option("--project <project>", "a project that the user becomes a member of: a name, folder or id")
    .addOption(new Option("--role <role>", "the role in that project").choices(["viewer", "member", "owner"]).default("member"))
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein users invite --email grace@example.com --project app --role member"))
    .action((options) => choose(async () => (await load()).inviteUser(options)));
  users
    .command("role")
    .description("set the role of a user in a project")
    .argument("<email>", "the user")
    .argument("<project>", "a name, folder or id")
    .addArgument(new Argument("<role>", "none removes the user from the project").choices(["viewer", "member", "owner", "none"]))
    .addOption(homeOption())
    .addHelpText("after", examples("skein users role grace@example.com app owner"))
    .action((email, project, role, options) => choose(async () => (await load()).setRole(email, project, role, options)));
  const changes = {
    deactivate: "end the sessions, streams and tokens of a user, who can no longer sign in",
    activate: "let a deactivated user sign in again",
    "sign-out": "end all sessions of a user",
    password: "set a new password; ends all sessions of the user",
  } as const;
  for (const [action, description] of Object.entries(changes)) {
    users
      .command(action)
      .description(description)
      .argument("<email>", "the user")
      .addOption(homeOption())
      .action((email, options) => choose(async () => (await load()).changeUser(action as keyof typeof changes, email, options)));
  }

  const tokens = program.command("tokens").description("list, create and revoke API tokens for programs and agents");
  const loadTokens = () => import("./commands/tokens.ts");
  tokens
    .command("list", { isDefault: true })
    .description("list the API tokens; the tokens themselves are never shown again")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await loadTokens()).listTokens(options)));
  tokens
    .command("create")
    .description("print a new API token: its program may do what its scope says, and with users no more than its user")
    .argument("[email]", "the user; only on a server with users (skein serve --team)")
    .requiredOption("--name <name>", "what it is for")
    .addOption(
      new Option("--scope <scope>", "what it may do").choices(["read", "write", "approve", "manage", "admin"]).makeOptionMandatory(),
    )
    .option("--project <project>", "only this project: a name, folder or id")
    .option("--days <number>", "how long it is valid", Number, 90)
    .option("--max-starts <number>", "how many executions may be started with it", Number)
    .option("--max-cost <usd>", "after what reported cost nothing more is started with it", Number)
    .option("--max-depth <number>", "how deep agents that are started with it may start others", Number)
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples("skein tokens create --name my-agent --scope write", "skein tokens create ada@example.com --name ci --scope read --days 30"),
    )
    .action((email, options) => choose(async () => (await loadTokens()).createToken(email, options)));
  tokens
    .command("revoke")
    .description("revoke an API token")
    .argument("<id>", "tok_…")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await loadTokens()).revokeToken(id, options)));

  program
    .command("audit")
    .description("print who did what, newest first (skein serve --team)")
    .option("--user <email>", "only what this user did")
    .option("--project <project>", "only in this project: a name, folder or id")
    .option("--limit <number>", "how many entries", Number, 50)
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein audit", "skein audit --user ada@example.com --limit 200"))
    .action((options) => choose(async () => (await import("./commands/audit.ts")).audit(options)));
}

/** What is done with the work of an attempt. */
function addBranchCommands(program: Command, choose: (action: Action) => void): void {
  const load = () => import("./commands/branch.ts");
  const define = (name: string, description: string, ...lines: string[]) =>
    program
      .command(name)
      .description(description)
      .argument("<id>", idText)
      .option("--json", "print JSON")
      .addOption(homeOption())
      .addHelpText("after", examples(...lines));

  define("git", "print the state of an attempt's branch, and what to do next", "skein git tsk_01k8b2xq").action((id, options) =>
    choose(async () => (await load()).gitState(id, options)),
  );
  define("commit", "commit the changes of an attempt", 'skein commit tsk_01k8b2xq --message "Add a flag"')
    .option("-m, --message <text>", "the commit message")
    .option("--suggest", "commit nothing: send the diff to a model and print the message that it suggests")
    .option("--files <path...>", "only these files (default: all)")
    .action((id, options) => choose(async () => (await load()).commit(id, options)));
  define("discard", "discard the changes of files; a safety copy is kept for 30 days", "skein discard tsk_01k8b2xq src/a.ts")
    .argument("<files...>", "paths, relative to the repository")
    .action((id, files, options) => choose(async () => (await load()).discard(id, files, options)));
  define("update", "rebase an attempt onto its base branch", "skein update tsk_01k8b2xq", "skein update tsk_01k8b2xq --continue")
    .option("--merge", "merge the base branch instead")
    .option("--continue", "continue after conflicts have been resolved")
    .option("--abort", "go back to before the update")
    .action((id, options) => choose(async () => (await load()).update(id, options)));
  define("land", "land an attempt on its base branch; the task is done then", "skein land tsk_01k8b2xq", "skein land tsk_01k8b2xq --undo")
    .addOption(new Option("--method <method>", "how (default: squash)").choices(["fast-forward", "squash", "merge"]))
    .option("-m, --message <text>", "message of the squash or merge commit (default: the task's title)")
    .option("--undo", "undo the landing, as long as the base branch has not moved since")
    .action((id, options) => choose(async () => (await load()).land(id, options)));
  define(
    "fork",
    "fork an attempt: a new one with its files and its history up to an execution",
    "skein fork tsk_01k8b2xq",
    'skein fork tsk_01k8b2xq --execution exe_01k8b2xs --before --message "Do it with a flag instead"',
  )
    .option("--execution <id>", "the execution to fork from (default: the last)")
    .option("--before", "from before the execution and its message")
    .option("-m, --message <text>", "send this message at once and run in the foreground; - reads it from standard input")
    .option("--agent <id>", "another agent")
    .option("--model <model>", "another model")
    .action((id, options) => choose(async () => (await import("./commands/fork.ts")).fork(id, options)));
  define("push", "push the branch of an attempt to a remote", "skein push tsk_01k8b2xq --remote origin")
    .option("--remote <name>", "the remote (default: that of the base branch, or origin)")
    .action((id, options) => choose(async () => (await load()).push(id, options)));
  define(
    "pr",
    "push the branch of an attempt and create its pull request, or update it",
    "skein pr tsk_01k8b2xq",
    "skein pr tsk_01k8b2xq --status",
    "skein pr tsk_01k8b2xq --send-feedback",
  )
    .option("--title <text>", "title (default: the task's)")
    .option("--body <text>", "description (default: the task's, the agent's answer and the changed files)")
    .option("--base <branch>", "branch to merge into (default: the attempt's base branch)")
    .option("--draft", "as a draft")
    .addOption(new Option("--ready", "ready for review, if it was a draft").conflicts("draft"))
    .addOption(
      new Option("--status", "print its state, checks and reviews; exits with 1 if something failed").conflicts(["draft", "ready"]),
    )
    .addOption(new Option("--send-feedback", "send failed checks and comments to the agent").conflicts(["status", "draft", "ready"]))
    .action((id, options) => choose(async () => (await import("./commands/pull-request.ts")).pullRequest(id, options)));
}

/** Other machines that run attempts. */
function addWorkerCommands(program: Command, choose: (action: Action) => void): void {
  const load = () => import("./commands/workers.ts");
  program
    .command("worker")
    .description("run attempts of a server on this machine")
    .option("--server <url>", "address of the server (default: that of the last start)")
    .option("--token <code>", "the code of `skein workers invite`; needed for the first start")
    .option("--name <name>", "shown for this machine (default: its host name)")
    .option("--tag <tag>", "by which attempts choose it (repeatable)", collect, [])
    .option("--capacity <number>", "agents at the same time (default: 4)", toCount)
    .option("--allow-http", "connect without encryption: keys and files can be read on the way")
    .addOption(new Option("--home <dir>", "data dir of the worker (default: $SKEIN_HOME, or ~/.skein-worker)"))
    .addHelpText("after", examples("skein worker --server https://skein.example.com --token Jx4…", "skein worker"))
    .action((options) => choose(async () => (await import("./commands/worker.ts")).worker(options)));
  const workers = program.command("workers").description("list, invite, drain and remove workers");
  const define = (name: string, description: string, options: { isDefault?: boolean } = {}) =>
    workers.command(name, options).description(description).option("--json", "print JSON").addOption(homeOption());
  define("list", "list the workers with their state, agents and executions", { isDefault: true }).action((options) =>
    choose(async () => (await load()).workers(options)),
  );
  define("invite", "print the command that starts a worker on another machine")
    .option("--name <name>", "the worker's name")
    .action((options) => choose(async () => (await load()).inviteWorker(options)));
  define("drain", "start no more agents on a worker; those that run there continue")
    .argument("<worker>", "id or name")
    .action((worker, options) => choose(async () => (await load()).changeWorker(worker, "draining", options)));
  define("activate", "start agents on a drained worker again")
    .argument("<worker>", "id or name")
    .action((worker, options) => choose(async () => (await load()).changeWorker(worker, "active", options)));
  define("remove", "remove a worker for good; what runs there is interrupted")
    .argument("<worker>", "id or name")
    .action((worker, options) => choose(async () => (await load()).removeWorker(worker, options)));
  program
    .command("attempts")
    .description("move attempts between machines")
    .command("move")
    .description("move an attempt to another machine, with its last recorded files")
    .argument("<id>", idText)
    .argument("<worker>", "id, name or tag of a worker; server: the server's own machine")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein attempts move att_01k8b2xr build-box", "skein attempts move att_01k8b2xr server"))
    .action((id, worker, options) => choose(async () => (await load()).moveAttempt(id, worker, options)));
}

function addAgentCommands(agents: Command, choose: (action: Action) => void): void {
  const load = () => import("./commands/agents.ts");
  agents
    .command("list", { isDefault: true })
    .description("list the agents and their models, and how to install the missing ones")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein agents", "skein agents --json"))
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
    .command("sessions")
    .description("list the sessions that an agent itself has in a repository, to continue one: skein run --session")
    .argument("<id>", "gemini, opencode or acp:<name>")
    .option("--repo <dir>", "a folder in the git repository", ".")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples("skein agents sessions opencode --repo ~/code/app", 'skein run "Now add tests" --agent opencode --session ses_0123'),
    )
    .action((id, options) => choose(async () => (await import("./commands/agent-sessions.ts")).agentSessions(id, options)));
  agents
    .command("remove")
    .description("remove an agent that was added; its conversations stay")
    .argument("<id>", "acp:<name> or command:<name>")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await load()).removeAgent(id, options)));
  for (const [name, enabled] of [["enable", true] as const, ["disable", false] as const]) {
    agents
      .command(name)
      .description(enabled ? "enable an agent that was disabled" : "disable an added agent: keep it, but do not start it")
      .argument("<id>", "acp:<name> or command:<name>")
      .addOption(homeOption())
      .action((id, options) => choose(async () => (await load()).setAgentEnabled(id, { ...options, enabled })));
  }
}

const collect = (value: string, before: string[]): string[] => [...before, value];

const requestProviders: readonly RequestProvider[] = ["anthropic", "openai-responses", "openai-chat", "gemini", "scripted"];

const idText = "a task (tsk_…: its active attempt) or an attempt (att_…); the beginning of the id is enough";

const examples = (...lines: string[]): string =>
  `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  ${line}`).join("\n")}`;

const homeOption = () => new Option("--home <dir>", "data dir (default: SKEIN_HOME or ~/.skein)");

function toCount(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("Use a number from 1 to 999.");
  return Number(text);
}

/** `7d`, `12h`, or a date. */
function toSince(text: string): number {
  const [, count, unit] = /^(\d{1,5})([dhm])$/.exec(text) ?? [];
  const milliseconds = { d: 86_400_000, h: 3_600_000, m: 60_000 };
  if (count !== undefined) return Date.now() - Number(count) * milliseconds[unit as keyof typeof milliseconds];
  const time = Date.parse(text);
  if (Number.isFinite(time) && time >= 0) return time;
  throw new InvalidArgumentError("Use a date such as 2026-05-31, or a number of days or hours such as 7d or 12h.");
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("Use a number from 0 to 65535.");
  return port;
}
