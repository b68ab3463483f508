/** A value of an attribute, as OTLP has them. */
export type AttributeValue = string | number | boolean;
/** Undefined values are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** `SpanKind` of OTLP. */
export const spanKinds = { internal: 1, client: 3 } as const;

/** A finished span. Times are epoch milliseconds. */
export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: (typeof spanKinds)[keyof typeof spanKinds];
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  /** Set if it failed. */
  error?: string;
}

/** What all spans of this server have in common. */
export interface Resource {
  attributes: Attributes;
  scope: { name: string; version: string };
}
