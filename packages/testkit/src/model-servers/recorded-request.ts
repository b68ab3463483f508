import type { IncomingHttpHeaders } from "node:http";
import type { Violation } from "../provider-rules/violation.ts";

/** How a request ended: answered whole, refused for its form, cut by the script, or left by the client. */
export type RequestEnd = "answered" | "refused" | "cut" | "aborted";

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; the text itself when it is none. */
  body: unknown;
  model: string;
  receivedAt: number;
  violations: Violation[];
  ended: Promise<RequestEnd>;
}
