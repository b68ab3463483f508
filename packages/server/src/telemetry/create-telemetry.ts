import { hostname } from "node:os";
import type { AttemptId, ConversationMessage, EndedExecution, StoredMessage } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Config } from "../config/load-config.ts";
import type { ExecutionWatcher } from "../executions/execution-watcher.ts";
import type { Logger } from "../logger.ts";
import { toExecutionSpans } from "./execution-spans.ts";
import { isMeasuring, isTracing } from "./is-on.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createOtlpExporter } from "./otlp-exporter.ts";
import { readOtlpSettings } from "./otlp-settings.ts";

const pageSize = 200;
/** Of one execution: the newest are sent. */
const maxMessages = 5000;

/** Spans and metrics. Loaded only if one of them is on. */
export interface Telemetry extends ExecutionWatcher {
  /** Undefined if metrics are off. */
  renderMetrics: Metrics["render"] | undefined;
  close(): Promise<void>;
}

/** Creates what the settings ask for. An unusable setting of OpenTelemetry is logged, and no spans are sent. */
export function createTelemetry(input: {
  storage: Storage;
  config: Pick<Config, "telemetry">;
  environment: NodeJS.ProcessEnv;
  version: string;
  instanceId: string;
  databaseFile: string | undefined;
  logger: Logger;
  now(): number;
}): Telemetry {
  const { storage, config, environment, logger } = input;
  const metrics = isMeasuring(config, environment) ? createMetrics({ ...input, startedAt: input.now() }) : undefined;
  const exporter = isTracing(config, environment) ? openExporter() : undefined;
  const reading = new Set<Promise<void>>();

  function openExporter() {
    const read = readOtlpSettings(config, environment);
    if ("problem" in read) {
      logger.error("traces are not sent", { problem: read.problem });
      return undefined;
    }
    const { settings } = read;
    const attributes = {
      "service.name": "skein",
      "service.version": input.version,
      "service.instance.id": input.instanceId,
      "host.name": hostname(),
      ...settings.resource,
    };
    const resource = { attributes, scope: { name: "skein", version: input.version } };
    return { ratio: settings.ratio, ...createOtlpExporter({ settings, resource, logger }) };
  }

  async function trace(execution: EndedExecution): Promise<void> {
    const { read } = storage;
    const attempt = await read.findAttempt({ id: execution.attemptId });
    if (attempt === undefined) return;
    const task = await read.findTask({ id: execution.taskId });
    const [messages, cards] = [await readMessages(storage, execution), await readCards(storage, execution)];
    const spans = toExecutionSpans({ execution, attempt, projectId: task?.projectId, messages, cards });
    if (isSampled(spans[0]?.traceId ?? "", exporter?.ratio ?? 0)) exporter?.add(spans);
  }

  return {
    onEnd(execution, { agent }) {
      metrics?.noteEnd(execution, agent);
      if (exporter === undefined) return;
      const one = trace(execution).catch((error: unknown) =>
        logger.warn("an execution was not traced", { executionId: execution.id, error }),
      );
      reading.add(one);
      void one.finally(() => reading.delete(one));
    },
    onIngested: (lagMs) => metrics?.noteIngested(lagMs),
    renderMetrics: metrics?.render,
    async close() {
      metrics?.close();
      await Promise.all(reading);
      await exporter?.close();
    },
  };
}

/** By the trace id, so that all servers decide alike. */
function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 0x1_0000_0000;
}

async function readMessages({ read }: Storage, { id: executionId }: EndedExecution): Promise<StoredMessage[]> {
  const places = await read.listMessagePlaces({ executionId, limit: maxMessages });
  const messages: StoredMessage[] = [];
  for (const { id } of places) {
    const message = await read.findMessage({ id });
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/** From the newest backwards: the execution is the last of its attempt, or the one before. */
async function readCards({ read }: Storage, { id, attemptId, startedAt }: EndedExecution): Promise<ConversationMessage[]> {
  const cards: ConversationMessage[] = [];
  let before: string | undefined;
  while (cards.length < maxMessages) {
    const { messages, hasMore } = await readPage(read, attemptId, before);
    cards.unshift(...messages.filter(({ metadata }) => metadata?.executionId === id));
    const [first] = messages;
    if (first === undefined || !hasMore || first.timestamp < startedAt) break;
    before = first.id;
  }
  return cards;
}

function readPage(read: Storage["read"], attemptId: AttemptId, before: string | undefined) {
  return read.listConversationMessages({ attemptId, limit: pageSize, ...(before === undefined ? {} : { before }) });
}
