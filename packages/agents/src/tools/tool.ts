import type { ImagePart, JsonValue, ToolExecutionEndState } from "@skein/contracts";
import type { ToolDefinition } from "@skein/engine";
import { z } from "zod";
import type { FolderInstructions } from "../instructions/folder-instructions.ts";
import type { SandboxOrder } from "../sandbox/sandbox-order.ts";
import type { FileWarning } from "../workspace/protected-paths.ts";
import { type Workspace, WorkspaceError } from "../workspace/workspace.ts";
import type { BackgroundJobs } from "./background-jobs.ts";

/** Shared by all tools of an execution. */
export interface ToolEnvironment {
  workspace: Workspace;
  /** Environment of commands that tools start. */
  environment: Readonly<Record<string, string>>;
  /** Of these commands, and of the addresses that web_fetch may use. */
  sandbox: SandboxOrder | undefined;
  /** Folder for outputs that are too long to be shown. */
  spillDirectory: string;
  jobs: BackgroundJobs;
  /** Instructions of AGENTS.md files below the root for a file that a tool touches. */
  folderInstructions: FolderInstructions;
  /** Lets web_fetch access this machine and its network. */
  allowPrivateAddresses: boolean;
}

export interface ToolRun {
  toolUseId: string;
  signal: AbortSignal;
  /** Output of a running tool. */
  onProgress(text: string): void;
  /** The user allowed this very call, knowing that it writes a protected file. */
  protectedAllowed: boolean;
}

export interface ToolOutcome {
  /** For the model. */
  output: string;
  /** For the model, in addition to the text; the first is also the card's picture. */
  images?: readonly ImagePart[];
  state: ToolExecutionEndState;
  /** For the user: the data of the tool's card. */
  structured?: JsonValue;
}

export interface ShellCommand {
  text: string;
  /** Relative to the working folder, or absolute; default: the working folder. */
  workingDirectory?: string | undefined;
}

/** A call with valid arguments, ready to run once. */
export interface PreparedCall {
  /** The shell command that it runs, if any, and where: checked by grants and warnings. */
  command?: ShellCommand;
  /** The page that it fetches, if any. */
  url?: string;
  /** Why it needs approval in every permission mode; null if it does not. */
  findProtection(): Promise<FileWarning | null>;
  run(run: ToolRun): Promise<ToolOutcome>;
}

export interface NativeTool {
  definition: ToolDefinition;
  /** `read` changes nothing and may run in parallel with other reads; `free` needs no approval either but runs in order. */
  access: "read" | "free" | "edit" | "command" | "network";
  /** Adjacent calls of it run in parallel, at most this many. */
  together?: number;
  prepare(input: JsonValue): { ok: true; call: PreparedCall } | { ok: false; error: string };
}

export interface ToolDescription<Schema extends z.ZodObject> {
  name: string;
  description: string;
  access: NativeTool["access"];
  together?: number;
  schema: Schema;
  findProtection?(input: z.output<Schema>): Promise<FileWarning | null>;
  getCommand?(input: z.output<Schema>): ShellCommand;
  getUrl?(input: z.output<Schema>): string;
  run(input: z.output<Schema>, run: ToolRun): Promise<ToolOutcome>;
}

export function defineTool<Schema extends z.ZodObject>(tool: ToolDescription<Schema>): NativeTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.schema, { io: "input" });
  return {
    definition: { name: tool.name, description: tool.description, inputSchema: inputSchema as JsonValue },
    access: tool.access,
    ...(tool.together === undefined ? {} : { together: tool.together }),
    prepare(input) {
      const parsed = tool.schema.safeParse(input);
      if (!parsed.success) {
        return { ok: false, error: `The arguments of ${tool.name} are not valid:\n${z.prettifyError(parsed.error)}` };
      }
      const command = tool.getCommand?.(parsed.data);
      const url = tool.getUrl?.(parsed.data);
      return {
        ok: true,
        call: {
          ...(command === undefined ? {} : { command }),
          ...(url === undefined ? {} : { url }),
          findProtection: async () => (await tool.findProtection?.(parsed.data)) ?? null,
          run: (run) => tool.run(parsed.data, run).catch(toOutcome),
        },
      };
    },
  };
}

/** An error of the workspace is a result for the model; anything else is a bug and is rethrown. */
function toOutcome(error: unknown): ToolOutcome {
  if (error instanceof WorkspaceError) return failed(error.message);
  throw error;
}

export function failed(output: string): ToolOutcome {
  return { output, state: "failed" };
}
