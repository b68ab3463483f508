import type { RepositoryFiles } from "@skein/host";
import { type ParsedMcpServers, parseMcpServers } from "./parse-mcp-servers.ts";

const fileName = ".mcp.json";

/** Reads the `.mcp.json` of a repository. Runs nothing; a missing file means no servers. */
export async function readProjectMcpServers(files: RepositoryFiles, directory: string): Promise<ParsedMcpServers> {
  const bytes = await files.readSmallFile({ directory, path: fileName });
  if (bytes === undefined) return { servers: [], problems: [] };
  if (!(bytes instanceof Uint8Array)) return problem(bytes.problem);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // the parser's message quotes the file, which may contain anything
    return problem("it is not valid JSON.");
  }
  const servers = typeof value === "object" && value !== null && "mcpServers" in value ? value.mcpServers : undefined;
  if (servers === undefined) return problem("it has no mcpServers.");
  const parsed = parseMcpServers(servers);
  return { servers: parsed.servers, problems: parsed.problems.map((text) => `${fileName}: ${text}`) };
}

function problem(text: string): ParsedMcpServers {
  return { servers: [], problems: [`${fileName} cannot be used: ${text}`] };
}
