import type { IncomingHttpHeaders } from "node:http";
import type { Violation } from "../provider-rules/violation.ts";
import type { ErrorReply, Reply, UsageReply } from "./reply.ts";

export interface HttpCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface ModelCall extends HttpCall {
  body: unknown;
  model: string;
}

export type Route =
  | { kind: "generate"; model?: string; stream?: boolean }
  | { kind: "count-tokens"; model?: string }
  | { kind: "list-models" }
  | { kind: "unknown" };

/** The content of one turn, with the defaults of the reply filled in. */
export interface Turn {
  call: ModelCall;
  reply: Reply;
  usage: Required<UsageReply>;
}

/** One answer in both forms: `events` and `closing` are the stream, already framed; `json` the same without streaming. */
export interface Answer {
  events: string[];
  closing: string[];
  json: unknown;
}

export interface HttpError {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** One provider's API. An instance remembers what it issued (signatures, encrypted reasoning), to recognize it. */
export interface ModelApi {
  /** The path that the official SDK expects after the origin. */
  basePath: string;
  route(call: HttpCall): Route;
  wantsStream(call: ModelCall): boolean;
  /** An error when the credential is not the key. */
  authorize(call: HttpCall, apiKey: string): ErrorReply | undefined;
  /** Every rule of the table, including those that only the issuer of a signature can check. */
  check(call: ModelCall): Violation[];
  refuse(violation: Violation): ErrorReply;
  tooLong(size: { tokens: number; contextWindow: number; call: ModelCall }): ErrorReply;
  unknownModel(model: string): ErrorReply;
  error(error: ErrorReply): HttpError;
  /** An error inside a stream that has begun. */
  errorEvents(error: ErrorReply, begun: { turn: Turn; answer: Answer }): string[];
  answer(turn: Turn): Answer;
  countTokens(tokens: number): unknown;
  listModels(models: readonly string[]): unknown;
}
