import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type ParsedMcpServers, parseMcpServers } from "./parse-mcp-servers.ts";

const fileName = ".mcp.json";
const largestFile = 1024 * 1024;

/** What a repository names in its `.mcp.json`. Reading it runs nothing, whatever it holds; no file is no servers. */
export async function readProjectMcpServers(directory: string): Promise<ParsedMcpServers> {
  const text = await readSmallFile(join(directory, fileName));
  if (text === undefined) return { servers: [], problems: [] };
  if (typeof text === "object") return problem(text.problem);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // the parser's own message quotes the file, which may be anything
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

/** Never follows a link and never waits on a pipe: both can lie in a repository, or be put there by what runs in it. */
async function readSmallFile(path: string): Promise<string | { problem: string } | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    return { problem: code === "ELOOP" ? "it is a link." : `it cannot be read (${code}).` };
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { problem: "it is not a regular file." };
    if (stats.size > largestFile) return { problem: `it is larger than ${largestFile} bytes.` };
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
