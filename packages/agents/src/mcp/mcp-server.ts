import type { JsonValue, McpFailureText, NoticeText, UsableMcpServer } from "@skein/contracts";
import { formatText, keepStart } from "@skein/engine";
import { keepOutput } from "../tools/keep-output.ts";
import type { ToolOutcome, ToolRun } from "../tools/tool.ts";
import { failed } from "../tools/tool.ts";
import { readMcpAnswer } from "./mcp-answer.ts";
import { McpConnectionError } from "./mcp-connection-error.ts";
import type { McpTool } from "./mcp-tool.ts";
import type { McpConnection, McpConnectionOptions } from "./open-mcp-connection.ts";
import { toLoadingCommands } from "./to-loading-commands.ts";

export interface McpNotice {
  /** Stable, for programs. */
  code: "mcp-server-failed" | "mcp-server-lost" | "mcp-server-back" | "mcp-tools-changed" | "mcp-tools-left-out";
  text: NoticeText;
}

export interface McpServerOptions extends Omit<McpConnectionOptions, "definition" | "onToolsChanged"> {
  server: UsableMcpServer;
  spillDirectory: string;
  callTimeoutMs: number;
  onNotice(notice: McpNotice): void;
}

/**
 * One server during one execution. If its connection is lost, the current call fails, and the next call reconnects once; a second loss is
 * final. A call is never repeated: it may have taken effect.
 */
export class McpServer {
  readonly name: string;
  readonly #options: McpServerOptions;
  #connection: McpConnection | undefined;
  #reconnecting: Promise<void> | undefined;
  #reportedLoss: McpConnection | undefined;
  #mayReconnect = true;
  #unavailable: McpFailureText | string | undefined;

  constructor(options: McpServerOptions) {
    this.name = options.server.definition.name;
    this.#options = options;
  }

  get instructions(): string {
    return this.#connection?.instructions ?? "";
  }

  /** Never rejects: a server that cannot be used is reported by a notice. */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      this.#unavailable = toFailure(error);
      if (this.#options.signal.aborted) return;
      this.#notify("mcp-server-failed", { code: "mcp-server-not-started", server: this.name, reason: this.#unavailable });
    }
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  listAllTools(): McpTool[] {
    return [...(this.#connection?.tools.values() ?? [])];
  }

  /** The tools to offer: all, or those that are unchanged since the user trusted them. */
  listTools(): McpTool[] {
    return this.listAllTools().filter((tool) => this.#isTrusted(tool));
  }

  listWithheldTools(): string[] {
    return this.listAllTools().flatMap((tool) => (this.#isTrusted(tool) ? [] : [tool.name]));
  }

  async call(name: string, input: Record<string, JsonValue>, run: ToolRun): Promise<ToolOutcome> {
    const changed = await this.#findChangedFiles();
    // it may load or start them while it works
    if (changed !== undefined) return failed(`The MCP server “${this.name}” was not called. ${formatText(changed)}`);
    if (this.#connection?.lost !== undefined) await this.#reconnect(this.#connection);
    const connection = this.#connection;
    if (connection === undefined || this.#unavailable !== undefined) {
      return failed(`The MCP server “${this.name}” is not available. ${formatText(this.#unavailable ?? "")}`.trim());
    }
    const tool = connection.tools.get(name);
    if (tool === undefined) return failed(`The MCP server “${this.name}” no longer has the tool “${name}”.`);
    if (!this.#isTrusted(tool)) {
      return failed(`The tool “${name}” of the MCP server “${this.name}” is not as the user trusted it. They can trust the server again.`);
    }
    try {
      const { signal, onProgress } = run;
      const answer = await connection.call({ name, arguments: input, signal, onProgress, timeoutMs: this.#options.callTimeoutMs });
      return this.#toOutcome(answer, run.toolUseId);
    } catch (error) {
      return this.#explainFailure(error, connection, run.signal);
    }
  }

  async close(): Promise<void> {
    this.#mayReconnect = false;
    this.#unavailable ??= "It was closed.";
    await this.#reconnecting;
    await this.#connection?.close();
  }

  #toOutcome(answer: Parameters<typeof readMcpAnswer>[0], toolUseId: string): ToolOutcome {
    const { text, images, structured } = readMcpAnswer(answer);
    const kept = keepOutput({ text, toolUseId, spillDirectory: this.#options.spillDirectory });
    const isSmall = structured !== undefined && JSON.stringify(structured).length <= largestStructured;
    const isError = answer.isError === true;
    const silence = isError ? "[The tool failed without a message.]" : images.length > 0 ? "" : "[The tool returned no output.]";
    const details = {
      ...(isSmall ? { structuredContent: structured } : {}),
      ...(kept.outputFile === undefined ? {} : { outputFile: kept.outputFile }),
    };
    return {
      output: kept.output === "" ? silence : kept.output,
      state: isError ? "failed" : "completed",
      ...(Object.keys(details).length === 0 ? {} : { structured: details }),
      ...(images.length === 0 ? {} : { images }),
    };
  }

  #explainFailure(error: unknown, connection: McpConnection, signal: AbortSignal): ToolOutcome {
    const partly = "It may have done part of its work.";
    if (signal.aborted) return { output: `[stopped by the user] ${partly}`, state: "interrupted" };
    if (connection.lost !== undefined) {
      // parallel calls are lost together; reported once
      if (this.#reportedLoss !== connection) {
        this.#notify("mcp-server-lost", { code: "mcp-server-lost", server: this.name, reason: connection.lost });
      }
      this.#reportedLoss = connection;
      return failed(`The connection to the MCP server “${this.name}” was lost during this call. ${partly} ${formatText(connection.lost)}`);
    }
    if (isTimeout(error)) {
      return { output: `[no answer within ${this.#options.callTimeoutMs} ms] The call was cancelled. ${partly}`, state: "timed-out" };
    }
    return failed(keepStart(`The MCP server “${this.name}” refused the call: ${messageOf(error)}`, longestError));
  }

  #reconnect(lost: McpConnection): Promise<void> {
    this.#reconnecting ??= (async () => {
      await lost.close();
      if (!this.#mayReconnect) {
        this.#unavailable ??= lost.lost ?? "";
        return;
      }
      this.#mayReconnect = false;
      try {
        await this.#connect();
        this.#notify("mcp-server-back", { code: "mcp-server-restarted", server: this.name });
      } catch (error) {
        this.#unavailable = toFailure(error);
        this.#notify("mcp-server-failed", { code: "mcp-server-not-restarted", server: this.name, reason: this.#unavailable });
      }
    })().finally(() => {
      this.#reconnecting = undefined;
    });
    return this.#reconnecting;
  }

  /** Changes, since the user trusted the server, to files that it would run (X16). */
  async #findChangedFiles(): Promise<McpFailureText | undefined> {
    const { definition, trustedFiles } = this.#options.server;
    if (trustedFiles === undefined) return undefined;
    const { findLoadedFiles, listDifferentFiles } = await import("../loaded-files/find-loaded-files.ts");
    const loaded = await findLoadedFiles(this.#options.directory, toLoadingCommands(definition));
    const changed = listDifferentFiles(loaded, trustedFiles);
    const { problem } = loaded;
    if (problem !== undefined) return { code: "mcp-files-not-listed", reason: problem };
    if (changed.length === 0) return undefined;
    return { code: "mcp-files-changed", names: changed.slice(0, mostNames), more: Math.max(0, changed.length - mostNames) };
  }

  async #connect(): Promise<void> {
    const { server, directory, environment, signal, startTimeoutMs } = this.#options;
    const changed = await this.#findChangedFiles();
    if (changed !== undefined) throw new McpConnectionError(changed);
    // Loaded only if a server is used: the SDK is most of the start-up cost.
    const { openMcpConnection } = await import("./open-mcp-connection.ts");
    this.#connection = await openMcpConnection({
      definition: server.definition,
      directory,
      environment,
      signal,
      startTimeoutMs,
      onToolsChanged: () => this.#notify("mcp-tools-changed", { code: "mcp-server-tools-changed", server: this.name }),
    });
  }

  #isTrusted({ name, hash }: McpTool): boolean {
    const trusted = this.#options.server.trustedTools;
    return trusted === null || (Object.hasOwn(trusted, name) && trusted[name] === hash);
  }

  #notify(code: McpNotice["code"], text: NoticeText): void {
    this.#options.onNotice({ code, text });
  }
}

const largestStructured = 64 * 1024;
const longestError = 16 * 1024;
const mostNames = 3;

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === -32001;
}

function toFailure(error: unknown): McpFailureText | string {
  return error instanceof McpConnectionError ? error.failure : messageOf(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
