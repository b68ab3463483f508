import { randomUUID } from "node:crypto";
import type { Telemetry } from "../telemetry/create-telemetry.ts";
import { isMeasuring, isTracing } from "../telemetry/is-on.ts";
import { version } from "../version.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Foundation } from "./open-foundation.ts";
import type { ServerOptions } from "./server-options.ts";

/** Loaded only if the settings ask for it. */
export async function openTelemetry(
  options: ServerOptions,
  { storage, dataDir, node, logger }: Foundation,
  cleanup: Cleanup,
): Promise<Telemetry | undefined> {
  if (!isTracing(options, process.env) && !isMeasuring(options, process.env)) return undefined;
  const { createTelemetry } = await import("../telemetry/create-telemetry.ts");
  const telemetry = createTelemetry({
    ...{ storage, config: options, environment: process.env, version, logger, now: Date.now },
    instanceId: node?.membership.id ?? randomUUID(),
    databaseFile: options.databaseUrl === undefined ? dataDir.file("skein.db") : undefined,
  });
  cleanup.add(() => telemetry.close());
  return telemetry;
}
