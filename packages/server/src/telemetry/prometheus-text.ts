/** A metric family in Prometheus' text format. */
export interface Family {
  name: string;
  type: "counter" | "gauge" | "histogram";
  help: string;
  samples: readonly Sample[];
}

/** `suffix`: `_bucket`, `_sum` and `_count` of histograms. */
export interface Sample {
  suffix?: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function toPrometheusText(families: readonly Family[]): string {
  return families.map(toFamily).join("");
}

function toFamily({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ suffix = "", labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
    return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${toNumber(value)}`;
  });
  return [`# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function escapeLabel(text: string): string {
  return text.toWellFormed().replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/"/g, '\\"');
}

function toNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
}
