import type { SpanKind } from "./to-timeline.ts";

export const barLook: Record<SpanKind, string> = { tool: "bg-accent", model: "bg-ink-faint/45", waiting: "bg-warn" };
