import { type McpProblem, type McpServerDefinition, mcpServerDefinitionSchema, toIssueText } from "@skein/contracts";
import { z } from "zod";

export interface ParsedMcpServers {
  servers: McpServerDefinition[];
  /** Servers that cannot be used, and why. */
  problems: McpProblem[];
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
  const problems: McpProblem[] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { servers, problems: [{ code: "mcp-servers-not-an-object" }] };
  }
  const entries = Object.entries(value);
  if (entries.length > mostServers) problems.push({ code: "mcp-servers-too-many", count: entries.length, max: mostServers });
  for (const [name, entry] of entries.slice(0, mostServers)) {
    const parsed = parseEntry(name, entry);
    if (parsed === "disabled") continue;
    if ("reason" in parsed) problems.push({ code: "mcp-server-unusable", server: name.slice(0, 100), ...parsed });
    else servers.push(parsed);
  }
  return { servers, problems };
}

type InvalidEntry = Pick<Extract<McpProblem, { code: "mcp-server-unusable" }>, "field" | "reason">;

function parseEntry(name: string, value: unknown): McpServerDefinition | InvalidEntry | "disabled" {
  const entry = entrySchema.safeParse(value, { reportInput: true });
  if (!entry.success) return toInvalid(entry.error);
  const { type, command, args = [], env = {}, url, headers = {}, disabled } = entry.data;
  if (disabled === true) return "disabled";
  if (type === "sse") return { field: "", reason: { code: "mcp-transport-outdated" } };
  const isHttp = type === undefined ? command === undefined && url !== undefined : type === "http" || type === "streamable-http";
  if (type !== undefined && type !== "stdio" && !isHttp) return { field: "", reason: { code: "mcp-type-unknown", type } };
  const definition = mcpServerDefinitionSchema.safeParse(
    isHttp ? { type: "http", name, url, headers } : { type: "stdio", name, command, args, env },
    { reportInput: true },
  );
  return definition.success ? definition.data : toInvalid(definition.error);
}

function toInvalid({ issues: [issue] }: z.ZodError): InvalidEntry {
  return { field: issue?.path.join(".") ?? "", reason: issue === undefined ? { code: "value-invalid" } : toIssueText(issue) };
}
