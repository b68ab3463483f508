import type { IncomingHttpHeaders } from "node:http";
import type { Violation } from "../provider-rules/violation.ts";

/** How a request ended: answered completely, refused as invalid, cut by the script, or aborted by the client. */
export type RequestEnd = "answered" | "refused" | "cut" | "aborted";

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Parsed JSON, or the text itself if it is not JSON. */
  body: unknown;
  model: string;
  receivedAt: number;
  violations: Violation[];
  ended: Promise<RequestEnd>;
}
