import { agentIdSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";

/** One `--with`: an agent, and after a colon its model. The ids of some agents contain a colon: `acp:<name>`, `command:<name>`. */
export function parseRacer(text: string): { agent: string; model?: string } {
  const parts = text.split(":");
  const length = parts[0] === "acp" || parts[0] === "command" ? 2 : 1;
  const agent = parts.slice(0, length).join(":");
  const model = parts.slice(length).join(":");
  const isComplete = parts.length <= length || model !== "";
  if (!agentIdSchema.safeParse(agent).success || !isComplete) {
    throw new CliError(`“${text}” is not an agent, or an agent and a model.`, {
      hint: "Write --with claude-code, or --with native:anthropic/<model>. To list the agents: skein agents",
      exitCode: exitCode.usage,
    });
  }
  return model === "" ? { agent } : { agent, model };
}
