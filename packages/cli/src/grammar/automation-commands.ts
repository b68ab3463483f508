import { type Command, Option } from "commander";
import { type Choose, collect, examples, homeOption } from "./terms.ts";

/** Commands for work that is started again and again. */
export function addAutomationCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Automations:");
  const templates = program.command("templates").description("list, add and remove templates of tasks");
  const load = () => import("../commands/templates.ts");
  templates
    .command("list", { isDefault: true })
    .description("list the templates with their variables; start one: skein run --template <name>")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText("after", examples("skein templates", "skein run --template review --set branch=main"))
    .action((options) => choose(async () => (await load()).templates(options)));
  const nameText = "its name, or the beginning of its id";
  templates
    .command("show")
    .description("print the prompt of a template")
    .argument("<template>", nameText)
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((name, options) => choose(async () => (await load()).showTemplate(name, options)));
  addFormOptions(
    templates
      .command("add")
      .description("create a template from a prompt, or from a task; {{name}} in the prompt is a variable")
      .argument("<name>", "what it is called")
      .argument("[prompt]", "the agent's first message; - reads it from standard input"),
  )
    .option("--from <task>", "take the prompt, agent, model and permissions of this task or attempt")
    .option("--repo <dir>", "a folder in the git repository that it is for", ".")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples(
        'skein templates add review "Review the branch {{branch}}" --permission-mode plan',
        "skein templates add nightly --from tsk_01k8b2xq",
      ),
    )
    .action((name, prompt, options) => choose(async () => (await load()).addTemplate(name, prompt, options)));
  templates
    .command("remove")
    .description("delete a template; tasks that were started from it stay")
    .argument("<template>", nameText)
    .addOption(homeOption())
    .action((name, options) => choose(async () => (await load()).removeTemplate(name, options)));
  addScheduleCommands(program, choose);
  addHookCommands(program, choose);
}

function addScheduleCommands(program: Command, choose: Choose): void {
  const schedules = program.command("schedules").description("list, add, run and remove schedules");
  const load = () => import("../commands/schedules.ts");
  schedules
    .command("list", { isDefault: true })
    .description("list the schedules with their next and last runs, and the runs that were missed")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await load()).schedules(options)));
  addFormOptions(
    schedules
      .command("add")
      .description("start a task, or send a message, at the times of a cron expression; {{date}} and {{time}} are filled in")
      .argument("<name>", "what it is called")
      .argument("[prompt]", "the agent's message")
      .requiredOption("--cron <expression>", "minute, hour, day of month, month and day of week")
      .option("--time-zone <zone>", "an IANA name (default: that of this machine)")
      .option("--template <template>", "start this template instead of a prompt")
      .option("--set <name=value>", "with --template: the value of a variable (repeatable)", collect)
      .option("--to <id>", "send the prompt to this task's active attempt, or to this attempt, instead of starting a task")
      .option("--run-missed", "run once for all runs that were missed while the server was off (default: skip them)")
      .option("--overlap", "start also while the previous run still works (default: skip)")
      .option("--off", "do not turn it on yet"),
  )
    .option("--repo <dir>", "a folder in the git repository to work on", ".")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples(
        'skein schedules add deps "Update the dependencies" --cron "0 9 * * 1" --time-zone Europe/Zurich',
        'skein schedules add review --template review --set branch=main --cron "0 18 * * 1-5"',
        'skein schedules add ping "Anything new?" --to tsk_01k8b2xq --cron "0 * * * *"',
      ),
    )
    .action((name, prompt, options) => choose(async () => (await load()).addSchedule(name, prompt, options)));
  const define = (action: "run" | "on" | "off" | "remove", description: string) =>
    schedules
      .command(action)
      .description(description)
      .argument("<schedule>", "its name, or the beginning of its id")
      .addOption(homeOption())
      .action((name, options) => choose(async () => (await load()).changeSchedule(action, name, options)));
  define("run", "run a schedule now, also while it is off");
  define("on", "turn a schedule on");
  define("off", "turn a schedule off");
  define("remove", "delete a schedule; tasks that it started stay");
  schedules
    .command("runs")
    .description("list what a schedule did, newest first, and why runs were skipped or failed")
    .argument("<schedule>", "its name, or the beginning of its id")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((name, options) => choose(async () => (await load()).scheduleRuns(name, options)));
}

function addHookCommands(program: Command, choose: Choose): void {
  const hooks = program.command("hooks").description("list, add and remove incoming webhooks: other programs start tasks");
  const load = () => import("../commands/hooks.ts");
  hooks
    .command("list", { isDefault: true })
    .description("list the incoming webhooks with their last deliveries")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((options) => choose(async () => (await load()).hooks(options)));
  addFormOptions(
    hooks
      .command("add")
      .description("let another program start a task or send a message; prints the address and, this once, the secret")
      .argument("<name>", "what it is called")
      .argument("[prompt]", "the agent's message; {{issue.title}} is a field of the delivery")
      .option("--template <template>", "start this template instead of a prompt")
      .option("--set <name=value>", "with --template: the value of a variable (repeatable)", collect)
      .option("--to <id>", "send the prompt to this task's active attempt, or to this attempt, instead of starting a task"),
  )
    .option("--repo <dir>", "a folder in the git repository to work on", ".")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .addHelpText(
      "after",
      examples('skein hooks add issues "Look at issue {{issue.number}}: {{issue.title}}" --permission-mode plan --sandbox'),
    )
    .action((name, prompt, options) => choose(async () => (await load()).addHook(name, prompt, options)));
  const define = (action: "rotate" | "on" | "off" | "remove", description: string) =>
    hooks
      .command(action)
      .description(description)
      .argument("<webhook>", "its name, or the beginning of its id")
      .addOption(homeOption())
      .action((name, options) => choose(async () => (await load()).changeHook(action, name, options)));
  define("rotate", "replace the secret; the old one is refused at once");
  define("on", "turn an incoming webhook on");
  define("off", "turn an incoming webhook off");
  define("remove", "delete an incoming webhook; tasks that it started stay");
  hooks
    .command("runs")
    .description("list the last deliveries, newest first, and why some failed")
    .argument("<webhook>", "its name, or the beginning of its id")
    .option("--json", "print JSON")
    .addOption(homeOption())
    .action((name, options) => choose(async () => (await load()).hookRuns(name, options)));
}

/** What a task is started with. */
function addFormOptions(command: Command): Command {
  return command
    .option("--title <text>", "title of the tasks (default: the prompt's first line)")
    .option("--agent <id>", "native, claude-code, codex, gemini, opencode or acp:<name> (default: as the settings say)")
    .option("--model <id>", "the agent's model; for native: <provider>/<model>")
    .addOption(
      new Option("--permission-mode <mode>", "what the agent may do without asking").choices(["plan", "ask", "accept-edits", "full"]),
    )
    .option("--sandbox", "let the operating system keep the agent in its folder")
    .option("--no-sandbox", "run it without a sandbox")
    .option("--base <branch>", "the branch to start from (default: the one that is checked out)");
}
