import type { ChatDialect } from "./openai-chat/to-chat-request.ts";

/** A server that speaks Chat Completions, used as `openai-chat/<name>/<model>`. */
export interface ModelEndpoint {
  /** Including the version: `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** Left out: `mistral` for Mistral's own API, otherwise `compatible`. */
  dialect?: ChatDialect | undefined;
  contextWindow?: number | undefined;
  /** False when its models read text only. */
  images?: boolean | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}
