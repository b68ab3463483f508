import { Argument, type Command, Option } from "commander";
import { type Choose, examples, homeOption } from "./terms.ts";

/** Commands for the users of a server that was started with --team. */
export function addTeamCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Users:");
  const load = () => import("../commands/users.ts");
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
  const loadTokens = () => import("../commands/tokens.ts");
  tokens
    .command("list", { isDefault: true })
    .description("list the API tokens; the tokens themselves are never shown again")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await loadTokens()).listTokens(options)));
  tokens
    .command("create")
    .description("print a new API token: it allows what its scope includes, and on a server with users no more than its user may do")
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
    .action((options) => choose(async () => (await import("../commands/audit.ts")).audit(options)));
}
