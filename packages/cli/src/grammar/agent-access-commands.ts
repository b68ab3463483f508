import { type Command, Option } from "commander";
import type { SkillAgent } from "../commands/skill.ts";
import { type Choose, examples, homeOption } from "./terms.ts";

/** Commands for agents that use Skein: the MCP server and the skill. */
export function addAgentAccessCommands(program: Command, choose: Choose): void {
  program.commandsGroup("For agents:");
  program
    .command("mcp")
    .description("run an MCP server on standard input and output, for agents that use the running Skein server")
    .addOption(
      new Option("--scope <scope>", "what the agent may do; without SKEIN_TOKEN").choices(["read", "write", "approve"]).default("write"),
    )
    .option("--project <project>", "only this project: a name, folder or id")
    .option("--url <url>", "another server; needs SKEIN_TOKEN")
    .addOption(homeOption())
    .addHelpText("after", examples("skein mcp", "claude mcp add skein -- skein mcp", "skein mcp --scope read --project app"))
    .action((options) => choose(async () => (await import("../commands/mcp.ts")).mcp(options)));

  const skill = program.command("skill").description("install or remove the skill that teaches agents to use Skein");
  const agents: readonly SkillAgent[] = ["claude-code", "codex", "gemini", "opencode"];
  const define = (name: "install" | "uninstall", description: string, ...lines: string[]) =>
    skill
      .command(name)
      .description(description)
      .addOption(new Option("--agent <agent>", "for this agent (default: ~/.agents, and Claude Code if it is used here)").choices(agents))
      .option("--dir <dir>", "a folder with skills, such as .claude/skills of a repository")
      .addHelpText("after", examples(...lines))
      .action((options) => choose(async () => (await import("../commands/skill.ts")).changeSkill(name, options)));
  define("install", "install the skill; an older version is replaced", "skein skill install", "skein skill install --agent claude-code");
  define("uninstall", "remove the skill", "skein skill uninstall", "skein skill uninstall --dir .claude/skills");
}
