import type { FileProblem, McpServerDefinition, RepositoryText } from "@skein/contracts";
import type { RepositoryFiles } from "@skein/host";
import { parseMcpServers } from "./parse-mcp-servers.ts";

const fileName = ".mcp.json";

export interface ProjectMcpServers {
  servers: McpServerDefinition[];
  /** Why the file, or some of its servers, cannot be used. */
  problems: RepositoryText[];
}

/** Reads the `.mcp.json` of a repository. Runs nothing; a missing file means no servers. */
export async function readProjectMcpServers(files: RepositoryFiles, directory: string): Promise<ProjectMcpServers> {
  const bytes = await files.readSmallFile({ directory, path: fileName });
  if (bytes === undefined) return { servers: [], problems: [] };
  if (!(bytes instanceof Uint8Array)) return unusable(bytes.problem);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // the parser's message quotes the file, which may contain anything
    return unusable({ code: "file-not-json" });
  }
  const servers = typeof value === "object" && value !== null && "mcpServers" in value ? value.mcpServers : undefined;
  if (servers === undefined) return unusable({ code: "file-without-servers" });
  const parsed = parseMcpServers(servers);
  return { servers: parsed.servers, problems: parsed.problems.map((problem) => ({ code: "in-repository-file", path: fileName, problem })) };
}

function unusable(reason: FileProblem): ProjectMcpServers {
  return { servers: [], problems: [{ code: "repository-file-unusable", path: fileName, reason }] };
}
