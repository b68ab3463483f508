import type { ImagePart, JsonValue, ToolExecutionEndState } from "@skein/contracts";
import type { ToolDefinition } from "@skein/engine";
import { z } from "zod";
import type { FolderInstructions } from "../instructions/folder-instructions.ts";
import type { FileWarning } from "../workspace/protected-paths.ts";
import { type Workspace, WorkspaceError } from "../workspace/workspace.ts";
import type { BackgroundJobs } from "./background-jobs.ts";

/** What every tool of an execution shares. */
export interface ToolEnvironment {
  workspace: Workspace;
  /** For the commands that tools start. */
  environment: Readonly<Record<string, string>>;
  /** Outputs too long to be shown are kept here. */
  spillDirectory: string;
  jobs: BackgroundJobs;
  /** What AGENTS.md files below the root say about a file that a tool touches. */
  folderInstructions: FolderInstructions;
  /** Lets web_fetch reach this machine and its network. */
  allowPrivateAddresses: boolean;
}

export interface ToolRun {
  toolUseId: string;
  signal: AbortSignal;
  /** Output of a tool that still runs. */
  onProgress(text: string): void;
  /** A user agreed to this very call, knowing that it writes a protected file. */
  protectedAllowed: boolean;
}

export interface ToolOutcome {
  /** For the model. */
  output: string;
  /** For the model, in addition to the text; the first is also the card's picture. */
  images?: readonly ImagePart[];
  state: ToolExecutionEndState;
  /** For the user: what the tool's card is drawn from. */
  structured?: JsonValue;
}

export interface ShellCommand {
  text: string;
  /** Relative to the working folder, or absolute; the working folder when left out. */
  workingDirectory?: string | undefined;
}

/** A call whose arguments are valid, ready to run once. */
export interface PreparedCall {
  /** The shell command that it runs, where it runs one, and where: grants and warnings look at it. */
  command?: ShellCommand;
  /** The page that it fetches, where it fetches one. */
  url?: string;
  /** Why a user has to agree whatever the permission mode is; null when there is no such reason. */
  findProtection(): Promise<FileWarning | null>;
  run(run: ToolRun): Promise<ToolOutcome>;
}

export interface NativeTool {
  definition: ToolDefinition;
  /** `read` changes nothing and may run in parallel with other reads; `free` asks nobody either but runs in order. */
  access: "read" | "free" | "edit" | "command" | "network";
  /** Neighbouring calls of it run together, at most so many at once. */
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

/** What the workspace refuses is an answer for the model; anything else is a bug and is rethrown. */
function toOutcome(error: unknown): ToolOutcome {
  if (error instanceof WorkspaceError) return failed(error.message);
  throw error;
}

export function failed(output: string): ToolOutcome {
  return { output, state: "failed" };
}
