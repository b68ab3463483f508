import type { McpServerInfo } from "@skein/contracts";
import { toCommandLine } from "../text/to-command-line.ts";

export interface McpServerView {
  /** What would run, word for word, or where it would connect. */
  target: string;
  /** Variables or headers that it is given: `NAME=value`, from the user's own settings only the name, since the value may be a key. */
  given: string[];
  runsCommand: boolean;
  /** Only what the repository names needs trust; the user's own settings are trusted already. */
  canTrust: boolean;
  canRevoke: boolean;
  tone: "good" | "warn" | "quiet";
}

/** Everything that the user trusts with it: nothing of the definition is left out. */
export function toMcpServerView({ definition, source, state }: McpServerInfo): McpServerView {
  const runsCommand = definition.type === "stdio";
  return {
    target: runsCommand ? toCommandLine([definition.command, ...definition.args]) : definition.url,
    given: Object.entries(runsCommand ? definition.env : definition.headers).map(([name, value]) =>
      source === "config" ? name : `${name}=${value}`,
    ),
    runsCommand,
    canTrust: source === "project" && (state === "new" || state === "changed"),
    canRevoke: source === "project" && (state === "trusted" || state === "changed"),
    tone: state === "trusted" ? "good" : state === "overridden" ? "quiet" : "warn",
  };
}
