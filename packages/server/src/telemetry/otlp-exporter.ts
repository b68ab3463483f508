import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Logger } from "../logger.ts";
import { toOtlpJson } from "./otlp-json.ts";
import { toOtlpProtobuf } from "./otlp-protobuf.ts";
import type { OtlpSettings } from "./otlp-settings.ts";
import type { Resource, Span } from "./span.ts";

/** Spans that wait to be sent; the oldest are dropped beyond. As in OpenTelemetry's SDKs. */
const maxWaiting = 2048;
const maxBatch = 512;
const batchMs = 1000;
const firstRetryMs = 1000;
const maxTries = 5;
/** Others are final by the specification of OTLP. */
const retryable = new Set([429, 502, 503, 504]);

export interface OtlpExporter {
  add(spans: readonly Span[]): void;
  /** Sends what waits, once. */
  close(): Promise<void>;
}

/** Sends spans in batches. A collector that is away costs only the spans; nothing waits for it. */
export function createOtlpExporter(input: { settings: OtlpSettings; resource: Resource; logger: Logger; retryMs?: number }): OtlpExporter {
  const { settings, resource, logger, retryMs = firstRetryMs } = input;
  const closing = new AbortController();
  let waiting: Span[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function schedule(): void {
    if (timer !== undefined || sending !== undefined || waiting.length === 0 || closing.signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      sending = sendBatch().finally(() => {
        sending = undefined;
        schedule();
      });
    }, batchMs).unref();
  }

  async function sendBatch(): Promise<void> {
    const batch = waiting.splice(0, maxBatch);
    if (batch.length === 0) return;
    if (dropped > 0) logger.warn("spans were dropped, because the collector did not take them", { spans: dropped });
    dropped = 0;
    const json = settings.protocol === "http/json";
    const plain = json ? Buffer.from(toOtlpJson(batch, resource)) : toOtlpProtobuf(batch, resource);
    const body = settings.compresses ? await promisify(gzip)(plain) : plain;
    for (let tries = 1; ; tries++) {
      const outcome = await send(body, json ? "application/json" : "application/x-protobuf");
      if (outcome.ok) return;
      if (!outcome.mayRetry || tries === maxTries || closing.signal.aborted) {
        logger.warn("spans could not be sent", { spans: batch.length, url: new URL(settings.url).origin, reason: outcome.reason });
        return;
      }
      const delay = outcome.retryAfterMs ?? retryMs * 2 ** (tries - 1) * (0.5 + Math.random());
      await wait(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }

  async function send(
    body: Uint8Array,
    type: string,
  ): Promise<{ ok: true } | { ok: false; mayRetry: boolean; reason: string; retryAfterMs?: number }> {
    try {
      const response = await fetch(settings.url, {
        method: "POST",
        headers: { ...settings.headers, "content-type": type, ...(settings.compresses ? { "content-encoding": "gzip" } : {}) },
        body: Buffer.from(body),
        redirect: "error",
        signal: AbortSignal.timeout(settings.timeoutMs),
      });
      await response.body?.cancel();
      if (response.ok) return { ok: true };
      const seconds = Number(response.headers.get("retry-after"));
      return {
        ...{ ok: false, mayRetry: retryable.has(response.status), reason: `HTTP ${response.status}` },
        ...(seconds > 0 ? { retryAfterMs: Math.min(seconds, 60) * 1000 } : {}),
      };
    } catch (error) {
      return { ok: false, mayRetry: true, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    add(spans) {
      waiting.push(...spans);
      const excess = Math.max(0, waiting.length - maxWaiting);
      dropped += excess;
      waiting = waiting.slice(excess);
      schedule();
    },
    async close() {
      clearTimeout(timer);
      closing.abort();
      await sending;
      while (waiting.length > 0) await sendBatch();
    },
  };
}
