import { McpServer } from "@modelcontextprotocol/server";
import { meSchema, type TokenScope, tokenScopeSchema } from "@skein/contracts";
import { version } from "../version.ts";
import { type Api, ApiProblem } from "./api.ts";
import { approvalTools } from "./approval-tools.ts";
import { conversationTools } from "./conversation-tools.ts";
import { projectTools } from "./project-tools.ts";
import { registerResources } from "./resources.ts";
import { taskTools } from "./task-tools.ts";
import { waitTool } from "./wait-tool.ts";

const instructions = `Skein runs coding agents on tasks. A project is a git repository; a task is what is to be done; an attempt is one try by one agent in its own git worktree and branch.

To delegate work: list_projects, then start_task with a complete prompt, then wait with the returned attemptId (again while timedOut is true), then read_conversation and get_diff. To try several agents on one task, call start_race, and use compare_attempts. Agents may ask for approvals (state needs-approval): the user answers them in Skein. Errors explain what to do; limits on what you may start are the user's decision.`;

const tools = [...projectTools, ...taskTools, waitTool, ...conversationTools, ...approvalTools];

/** Skein as an MCP server, with the tools that the caller's token allows (M1). */
export async function createSkeinMcpServer(api: Api): Promise<McpServer> {
  const scope = await findScope(api);
  const server = new McpServer({ name: "skein", title: "Skein", version }, { instructions });
  const rank = (one: TokenScope) => tokenScopeSchema.options.indexOf(one);
  for (const tool of tools) if (rank(tool.scope) <= rank(scope)) tool.register(server, api);
  registerResources(server, api);
  return server;
}

/** A tool that is offered may still be rejected: the routes decide. */
async function findScope(api: Api): Promise<TokenScope> {
  try {
    const { scope, isAdmin } = await api.get("/api/me", meSchema, AbortSignal.timeout(10_000));
    return scope ?? (isAdmin ? "admin" : "manage");
  } catch (error) {
    if (error instanceof ApiProblem) return "read";
    throw error;
  }
}
