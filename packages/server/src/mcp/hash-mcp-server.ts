import { createHash } from "node:crypto";
import type { McpServerDefinition } from "@skein/contracts";

/** What a person's trust is bound to: all that decides what runs, or who is talked to. The order of variables does not count. */
export function hashMcpServer(definition: McpServerDefinition): string {
  const parts =
    definition.type === "stdio"
      ? ["stdio", definition.command, definition.args, toSortedEntries(definition.env)]
      : ["http", definition.url, toSortedEntries(definition.headers)];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function toSortedEntries(variables: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
}
