import { type McpServerDefinition, mcpServerDefinitionSchema } from "@skein/contracts";
import { z } from "zod";

export interface ParsedMcpServers {
  servers: McpServerDefinition[];
  /** One sentence per server that cannot be used. */
  problems: string[];
}

const mostServers = 50;

/** The format that agents share: `{ name: { command, args, env } }` or `{ name: { type: "http", url, headers } }`. */
const entrySchema = z.object({
  type: z.string().optional(),
  command: z.unknown().optional(),
  args: z.unknown().optional(),
  env: z.unknown().optional(),
  url: z.unknown().optional(),
  headers: z.unknown().optional(),
  disabled: z.boolean().optional(),
});

export function parseMcpServers(value: unknown): ParsedMcpServers {
  const servers: McpServerDefinition[] = [];
  const problems: string[] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { servers, problems: ["mcpServers is no object."] };
  const entries = Object.entries(value);
  if (entries.length > mostServers) problems.push(`It names ${entries.length} servers; the first ${mostServers} are read.`);
  for (const [name, entry] of entries.slice(0, mostServers)) {
    const parsed = parseEntry(name, entry);
    if (typeof parsed === "string") problems.push(`The MCP server ${JSON.stringify(name.slice(0, 100))} cannot be used: ${parsed}`);
    else if (parsed !== undefined) servers.push(parsed);
  }
  return { servers, problems };
}

/** Returns a sentence if the entry is invalid; undefined if it is disabled. */
function parseEntry(name: string, value: unknown): McpServerDefinition | string | undefined {
  const entry = entrySchema.safeParse(value);
  if (!entry.success) return `${describe(entry.error)}.`;
  const { type, command, args = [], env = {}, url, headers = {}, disabled } = entry.data;
  if (disabled === true) return undefined;
  if (type === "sse") return 'the transport "sse" is outdated; use "http", which servers speak today.';
  const isHttp = type === undefined ? command === undefined && url !== undefined : type === "http" || type === "streamable-http";
  if (type !== undefined && type !== "stdio" && !isHttp) return `its type ${JSON.stringify(type)} is neither "stdio" nor "http".`;
  const definition = mcpServerDefinitionSchema.safeParse(
    isHttp ? { type: "http", name, url, headers } : { type: "stdio", name, command, args, env },
  );
  return definition.success ? definition.data : `${describe(definition.error)}.`;
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "it is not valid" : `${issue.path.join(".") || "it"}: ${issue.message}`;
}
