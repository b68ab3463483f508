import { createHash } from "node:crypto";
import type { McpServerDefinition } from "@skein/contracts";

/** Hash that the user's trust is bound to: everything that decides what runs or which server is contacted. Ignores variable order. */
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
