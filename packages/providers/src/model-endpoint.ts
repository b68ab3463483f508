import type { ChatDialect } from "./openai-chat/to-chat-request.ts";

/** A server with a Chat Completions API, used as `openai-chat/<name>/<model>`. */
export interface ModelEndpoint {
  /** Including the version: `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** Default: `mistral` for Mistral's own API, otherwise `compatible`. */
  dialect?: ChatDialect | undefined;
  contextWindow?: number | undefined;
  /** False if its models accept text only. */
  images?: boolean | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}
