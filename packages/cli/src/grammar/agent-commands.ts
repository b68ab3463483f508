import type { Command } from "commander";
import { type Choose, collect, examples, homeOption } from "./terms.ts";

/** Commands that list, add and remove agents. */
export function addAgentCommands(program: Command, choose: Choose): void {
  program.commandsGroup("Agents:");
  const agents = program.command("agents").description("list, add and remove agents");
  const load = () => import("../commands/agents.ts");
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
    .action((id, command, options) => choose(async () => (await import("../commands/add-agent.ts")).addAgent(id, command, options)));
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
    .action((id, options) => choose(async () => (await import("../commands/agent-sessions.ts")).agentSessions(id, options)));
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
