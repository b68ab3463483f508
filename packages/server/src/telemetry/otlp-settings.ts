import type { Config } from "../config/load-config.ts";
import type { Attributes } from "./span.ts";

/** Where and how traces are sent. */
export interface OtlpSettings {
  url: string;
  headers: Readonly<Record<string, string>>;
  protocol: "http/protobuf" | "http/json";
  timeoutMs: number;
  compresses: boolean;
  /** The share of executions that are sent, 0 to 1. */
  ratio: number;
  resource: Attributes;
}

/**
 * The standard variables of OpenTelemetry, which take precedence over `telemetry` in config.json. `problem`: what cannot be used.
 *
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function readOtlpSettings(
  { telemetry }: Pick<Config, "telemetry">,
  environment: NodeJS.ProcessEnv,
): { settings: OtlpSettings } | { problem: string } {
  const read = (name: string) => environment[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || environment[`OTEL_EXPORTER_OTLP_${name}`] || undefined;
  const protocol = read("PROTOCOL") ?? telemetry?.otlp?.protocol ?? "http/protobuf";
  if (protocol !== "http/protobuf" && protocol !== "http/json") {
    return {
      problem: `OTEL_EXPORTER_OTLP_PROTOCOL is “${protocol}”. Use http/protobuf or http/json; collectors accept both on port 4318.`,
    };
  }
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT || telemetry?.otlp?.endpoint || "";
  const url = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || `${base.replace(/\/$/, "")}/v1/traces`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return { problem: `${url} is not an http or https address.` };
  return {
    settings: {
      url,
      headers: {
        ...telemetry?.otlp?.headers,
        ...readPairs(environment.OTEL_EXPORTER_OTLP_HEADERS),
        ...readPairs(environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
      },
      protocol,
      timeoutMs: Number(read("TIMEOUT")) || 10_000,
      compresses: read("COMPRESSION") === "gzip",
      ratio: readRatio(environment),
      resource: {
        ...readPairs(environment.OTEL_RESOURCE_ATTRIBUTES),
        ...(environment.OTEL_SERVICE_NAME ? { "service.name": environment.OTEL_SERVICE_NAME } : {}),
      },
    },
  };
}

/** `key1=value1,key2=value2`, with percent-encoded values. */
function readPairs(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function readRatio({ OTEL_TRACES_SAMPLER: sampler = "", OTEL_TRACES_SAMPLER_ARG: argument }: NodeJS.ProcessEnv): number {
  if (sampler.endsWith("always_off")) return 0;
  if (!sampler.endsWith("traceidratio")) return 1;
  const ratio = Number(argument || 1);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}
