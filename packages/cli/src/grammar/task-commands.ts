import type { RequestProvider } from "@skein/contracts";
import { Argument, type Command, Option } from "commander";
import { type Choose, collect, examples, homeOption, idText, toCount } from "./terms.ts";

/** Commands that run agents and show what they did. */
export function addTaskCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Tasks:");

  program
    .command("run")
    .description("run one task in the foreground; exits with 0 when the agent succeeded")
    .argument("[prompt]", "what to do; - reads it from standard input")
    .option("--template <template>", "start this template instead (skein templates): its name or id")
    .option("--set <name=value>", "with --template: the value of a variable (repeatable)", collect)
    .option("--agent <id>", "native, claude-code, codex, gemini, opencode or acp:<name>")
    .option("--repo <dir>", "a folder in the git repository to work on", ".")
    .option("--model <id>", "the agent's model; for native: <provider>/<model>")
    .addOption(
      new Option("--permission-mode <mode>", "what the agent may do without asking").choices(["plan", "ask", "accept-edits", "full"]),
    )
    .option("--sandbox", "let the operating system keep the agent in its folder (default: as the settings say)")
    .option("--no-sandbox", "run it without a sandbox")
    .option("--on <worker>", "run it on a worker: an id, a name or a tag (skein workers)")
    .option("--in-place", "work in the repository's own folder instead of a new worktree")
    .option("--session <id>", "continue a session that the agent has in this folder (skein agents sessions); works in place")
    .option("--title <text>", "title of the task (default: the prompt's first line)")
    .option("--budget <usd>", "ask before the task costs more than this, in US dollars")
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
    .action((prompt, options) => choose(async () => (await import("../commands/run.ts")).run(prompt, options)));

  const loadRace = () => import("../commands/race.ts");
  program
    .command("race")
    .description("send one message to several agents at once and compare them; exits with 0 if one passed the project's checks")
    .argument("<prompt>", "what to do; - reads it from standard input")
    .requiredOption("--with <agent>", "an agent, or <agent>:<model> (repeatable: two or more)", collect, [])
    .option("--repo <dir>", "a folder in the git repository to work on", ".")
    .option("--check", "start only if the project has a trusted check script")
    .addOption(
      new Option("--permission-mode <mode>", "what the agents may do without asking").choices(["plan", "ask", "accept-edits", "full"]),
    )
    .option("--sandbox", "let the operating system keep the agents in their folders (default: as the settings say)")
    .option("--no-sandbox", "run them without a sandbox")
    .option("--title <text>", "title of the task (default: the prompt's first line)")
    .option("--budget <usd>", "ask before the task costs more than this, in US dollars")
    .option("--json", "print each change and the result as one line of JSON, and nothing else")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples(
        'skein race "Fix the flaky test" --with claude-code --with codex',
        'skein race "Add dark mode" --with native:anthropic/claude-sonnet-5 --with gemini --check --json',
      ),
    )
    .action((prompt, options) => choose(async () => (await loadRace()).race(prompt, options)));
  program
    .command("race-wait")
    .description("show a race until it is over; exits like skein race")
    .argument("<id>", idText)
    .option("--json", "print each change and the result as one line of JSON, and nothing else")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await loadRace()).followRace(id, options)));
  program
    .command("race-stop")
    .description("stop the agents and the checks of a race")
    .argument("<id>", idText)
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await loadRace()).stopRace(id, options)));

  program
    .command("check")
    .description("run the project's check script for an attempt; exits with 0 if it passed")
    .argument("<id>", idText)
    .option("--last", "run nothing: show the last result")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein check att_01k8b2xr", "skein check tsk_01k8b2xq --last"))
    .action((id, options) => choose(async () => (await import("../commands/check.ts")).check(id, options)));

  program
    .command("terminal")
    .description("connect this terminal to one in the attempt's folder; Ctrl-] detaches, and it keeps running")
    .argument("<id>", idText)
    .option("--new", "open another one, also if one is running")
    .option("--number <number>", "attach to this one", toCount)
    .option("--list", "list the attempt's terminals")
    .option("--close", "close it, with everything that was started in it")
    .option("--json", "with --list: print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein terminal att_01k8b2xr", "skein terminal att_01k8b2xr --number 2 --close"))
    .action((id, options) => choose(async () => (await import("../commands/terminal.ts")).terminal(id, options)));
  program
    .command("dev")
    .description("the attempt's dev server: the trusted `dev` script of .skein/project.json, on a port of its own")
    .argument("<id>", idText)
    .addArgument(new Argument("[action]", "what to do").choices(["show", "start", "stop", "log"]).default("show"))
    .option("--follow", "with log: keep printing until it ends")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein dev att_01k8b2xr start", "skein dev att_01k8b2xr log --follow"))
    .action((id, action, options) => choose(async () => (await import("../commands/dev.ts")).dev(id, action, options)));

  program
    .command("tasks")
    .description("list the tasks with their state; what runs or waits for you comes first")
    .option("--project <project>", "only tasks of this project: a folder, name or id")
    .option("--all", "include archived tasks")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein tasks", "skein tasks --project ~/code/app"))
    .action((options) => choose(async () => (await import("../commands/tasks.ts")).tasks(options)));

  program
    .command("show")
    .description("print the conversation of a task or an attempt, and what is queued")
    .argument("<id>", idText)
    .addOption(homeOption())
    .addHelpText("after", examples("skein show tsk_01k8b2xq", "skein show 01k8b2xq"))
    .action((id, options) => choose(async () => (await import("../commands/show.ts")).show(id, options)));

  program
    .command("diff")
    .description("print what an attempt has changed since its base commit")
    .argument("<id>", idText)
    .option("--stat", "only the files and the number of lines")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein diff tsk_01k8b2xq", "skein diff att_01k8b2xr --stat"))
    .action((id, options) => choose(async () => (await import("../commands/diff.ts")).diff(id, options)));

  program
    .command("context")
    .description("print the next request to the model of an attempt")
    .argument("<id>", idText)
    .addOption(new Option("--provider <provider>", "format of the request (default: that of the model)").choices(requestProviders))
    .option("--message <text>", "the next message (default: a placeholder)")
    .option("--json", "print JSON with the whole request body")
    .addOption(homeOption())
    .addHelpText("after", examples("skein context tsk_01k8b2xq", 'skein context att_01k8b2xr --message "Continue" --json'))
    .action((id, options) => choose(async () => (await import("../commands/context.ts")).context(id, options)));

  const waiting = program.command("waiting").description("list what waits because of a limit; start it, or put it first");
  const loadWaiting = () => import("../commands/waiting.ts");
  waiting
    .command("list", { isDefault: true })
    .description("list what waits, in the order in which it will start")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await loadWaiting()).waiting(options)));
  waiting
    .command("start")
    .description("start it now, whatever the limits are")
    .argument("<id>", idText)
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await loadWaiting()).changeWaiting(id, "start", options)));
  waiting
    .command("first")
    .description("let it start before everything else that waits")
    .argument("<id>", idText)
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await loadWaiting()).changeWaiting(id, "first", options)));

  waiting
    .command("resume")
    .description("resume a parked execution now, or by itself when the limit of its provider is over")
    .argument("<id>", idText)
    .option("--later", "by itself, when the limit is over")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await loadWaiting()).resumeParked(id, options)));
  waiting
    .command("continue")
    .description("continue a parked execution with another agent or model, in a new attempt")
    .argument("<id>", idText)
    .requiredOption("--agent <id>", "native, claude-code, codex, gemini, opencode or acp:<name>")
    .option("--model <id>", "the agent's model (default: its own default)")
    .addOption(homeOption())
    .action((id, options) => choose(async () => (await loadWaiting()).continueParked(id, options)));

  const budget = program.command("budget").description("show or set what a task may use; answer when it is used up");
  const loadBudget = () => import("../commands/budget.ts");
  budget
    .command("show", { isDefault: true })
    .description("show the budgets of a task and what was used of them; with amounts, set the task's own")
    .argument("<id>", idText)
    .option("--cost <usd>", "US dollars")
    .option("--tokens <count>", "tokens, read and written")
    .option("--minutes <count>", "minutes in which agents work")
    .option("--none", "no budget of its own: that of the project or the installation applies")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein budget tsk_01k8b2xq", "skein budget tsk_01k8b2xq --cost 5 --minutes 30"))
    .action((id, options) => choose(async () => (await loadBudget()).budget(id, options)));
  budget
    .command("answer")
    .description("answer the question of an execution whose budget is used up")
    .argument("<id>", idText)
    .addArgument(new Argument("<decision>", "as much again, no budget any more, or stop").choices(["more", "unlimited", "stop"]))
    .addOption(homeOption())
    .action((id, decision, options) => choose(async () => (await loadBudget()).answerBudget(id, decision, options)));

  program
    .command("resume")
    .description("send the messages of a paused queue")
    .argument("<id>", idText)
    .addOption(homeOption())
    .addHelpText("after", examples("skein resume tsk_01k8b2xq"))
    .action((id, options) => choose(async () => (await import("../commands/resume.ts")).resume(id, options)));

  program
    .command("export")
    .description("export an attempt with its conversation; secrets are redacted")
    .argument("<id>", idText)
    .addOption(new Option("--format <format>", "html: one page that works offline").choices(["html", "json", "markdown"]).default("json"))
    .option("--out <file>", "write to a file (default: standard output)")
    .option("--preview", "export nothing: list what would be redacted")
    .option("--redact", "redact keys, tokens, passwords, home folders and the user name (default)")
    .option("--no-redact", "export everything as it is")
    .option("--word <text>", "also redact this word or phrase (repeatable)", collect, [])
    .option("--keep <id>", "do not redact a finding of --preview (repeatable)", collect, [])
    .addOption(
      new Option("--without <part>", "leave out a part (repeatable)")
        .choices(["thinking", "messages", "changes"])
        .argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]),
    )
    .option("--json", "with --preview: print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples(
        "skein export tsk_01k8b2xq --format html --out attempt.html",
        'skein export tsk_01k8b2xq --preview --word "Acme Corp"',
        "skein export tsk_01k8b2xq --format markdown --without thinking",
      ),
    )
    .action((id, options) => choose(async () => (await import("../commands/export.ts")).exportAttempt(id, options)));
}

const requestProviders: readonly RequestProvider[] = ["anthropic", "openai-responses", "openai-chat", "gemini", "scripted"];
