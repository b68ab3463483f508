import type { Config } from "../config/load-config.ts";

/** Whether traces are to be sent. Cheap: asked at every start. */
export function isTracing({ telemetry }: Pick<Config, "telemetry">, environment: NodeJS.ProcessEnv): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === "true" || environment.OTEL_TRACES_EXPORTER === "none") return false;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = environment;
  return Boolean(all || traces || telemetry?.otlp);
}

/** Whether metrics are on. Cheap: asked at every start. */
export function isMeasuring({ telemetry }: Pick<Config, "telemetry">, { SKEIN_METRICS: value }: NodeJS.ProcessEnv): boolean {
  return value === undefined || value === "" ? telemetry?.metrics === true : value === "1";
}
