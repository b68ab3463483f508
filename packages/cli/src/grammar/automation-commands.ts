import { type Command, Option } from "commander";
import { type Choose, examples, homeOption } from "./terms.ts";

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
