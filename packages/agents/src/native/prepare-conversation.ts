import type { UserMessage } from "@skein/contracts";
import { expandCommand } from "../instructions/expand-command.ts";
import { createFolderInstructions } from "../instructions/folder-instructions.ts";
import { parseSandboxOrder, type SandboxOrder, sandboxVariable } from "../sandbox/sandbox-order.ts";
import { BackgroundJobs } from "../tools/background-jobs.ts";
import { createNativeTools } from "../tools/create-native-tools.ts";
import type { NativeTool } from "../tools/tool.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { NativeInput } from "./native-input.ts";
import { planPrompt } from "./plan-mode.ts";
import { readSystemPrompts } from "./system-prompts.ts";
import { toToolEnvironment } from "./tool-environment.ts";

/** What a turn needs besides a model and MCP servers. Creating it starts nothing and changes nothing. */
export interface PreparedConversation {
  workspace: Workspace;
  /** With slash commands expanded. */
  input: NativeInput;
  systemPrompts: string[];
  tools: NativeTool[];
  jobs: BackgroundJobs;
  /** The part of this process's environment that tools and MCP servers get. */
  environment: Record<string, string>;
  sandbox: SandboxOrder | undefined;
}

/** The part of a turn's preparation that it shares with a preview of its request. */
export async function prepareConversation(input: NativeInput): Promise<PreparedConversation> {
  const { spillDirectory, allowPrivateAddresses = false } = input;
  const workspace = await openWorkspace(input.directory, { readable: [spillDirectory] });
  const [systemPrompts, expanded] = await Promise.all([
    readSystemPrompts(workspace, input.systemPrompts),
    expandCommands(workspace, input),
  ]);
  const jobs = new BackgroundJobs();
  const environment = toToolEnvironment(process.env);
  const sandbox = parseSandboxOrder(process.env[sandboxVariable]);
  const tools = createNativeTools(
    {
      workspace,
      environment,
      sandbox,
      spillDirectory,
      jobs,
      folderInstructions: createFolderInstructions(workspace),
      allowPrivateAddresses,
    },
    input.history,
  );
  const prompts = input.permissionMode === "plan" ? [...systemPrompts, planPrompt] : systemPrompts;
  return { workspace, input: expanded, systemPrompts: prompts, tools, jobs, environment, sandbox };
}

/** Earlier messages are stored as typed: expanded again, the model sees the same text as before. */
async function expandCommands(workspace: Workspace, input: NativeInput): Promise<NativeInput> {
  const history = input.history.map(async (entity) => {
    const { body } = entity;
    return body.role === "user" ? { ...entity, body: { ...body, content: await expandContent(workspace, body.content) } } : entity;
  });
  return { ...input, message: await expandCommand(workspace, input.message), history: await Promise.all(history) };
}

async function expandContent(workspace: Workspace, content: UserMessage["content"]): Promise<UserMessage["content"]> {
  if (typeof content === "string") return expandCommand(workspace, content);
  const [first, ...rest] = content;
  return first?.type === "text" ? [{ ...first, text: await expandCommand(workspace, first.text) }, ...rest] : content;
}
