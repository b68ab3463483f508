import type { McpServerDefinition } from "@skein/contracts";
import type { LoadingCommand } from "../loaded-files/find-loaded-files.ts";

/** What decides which files of the repository a server runs: its command line, and variables such as `NODE_OPTIONS`. */
export function toLoadingCommands(definition: McpServerDefinition): LoadingCommand[] {
  if (definition.type !== "stdio") return [];
  return [{ words: [definition.command, ...definition.args, ...Object.values(definition.env)] }];
}
