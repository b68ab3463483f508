declare module "parse-prometheus-text-format" {
  interface Metric {
    labels?: Record<string, string>;
    value?: string;
    buckets?: Record<string, string>;
  }
  /** Throws for a text that is not valid. */
  export default function parse(text: string): { name: string; help: string; type: string; metrics: Metric[] }[];
}
