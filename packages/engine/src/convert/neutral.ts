/** Data that only one provider understands, by provider, as in the AI SDK's `providerOptions`. */
export type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Part {
  options?: Options | undefined;
}

export interface Text extends Part {
  type: "text";
  text: string;
}
/** The options name the provider that made it; only that one accepts it. */
export interface Reasoning extends Part {
  type: "reasoning";
  text: string;
}
export interface File extends Part {
  type: "file";
  /** `id`: uploaded to the provider. */
  kind: "base64" | "url" | "id";
  data: string;
  mediaType: string;
  filename?: string | undefined;
}
export interface Call extends Part {
  type: "call";
  id: string;
  name: string;
  input: unknown;
  /** The arguments as the model wrote them. */
  text?: string | undefined;
}
export interface Result extends Part {
  type: "result";
  id: string;
  name: string;
  isError: boolean;
  output: string | (Text | File)[] | { json: unknown };
}

/** A message between two formats. */
export interface Neutral {
  role: "system" | "user" | "assistant" | "tool";
  /** Position in the history that was passed. */
  index: number;
  parts: (Text | Reasoning | File | Call | Result)[];
}

/**
 * What a conversion could not keep. `index` is a position in the history that was passed; `detail` names the part, field or value.
 *
 * - `part`: the other API has no such part; it was left out.
 * - `field`: a field of a part that the other API does not know was left out.
 * - `reasoning`: only the provider that made it accepts it; it was left out.
 * - `error-flag`: results have no error flag there; the text begins with "Error:".
 * - `structure`: a structured value became text or an object.
 * - `moved-file`: results hold no files there; the file follows in a user message.
 * - `joined`: roles alternate there; adjacent messages of the same role became one.
 * - `role`: there are no system messages between others; it became a user message.
 * - `tool-name`: the name is not accepted there and was replaced.
 */
export interface ConversionLoss {
  kind: "part" | "field" | "reasoning" | "error-flag" | "structure" | "moved-file" | "joined" | "role" | "tool-name";
  index: number;
  detail: string;
}

/** Reports a loss of the message that is read or written. */
export type ReportLoss = (kind: ConversionLoss["kind"], detail: unknown) => void;

/** The message arrays of one API, for `convert`. */
export interface Dialect {
  read(messages: readonly Readonly<Record<string, unknown>>[], report: (index: number) => ReportLoss): Neutral[];
  /** Pairs, ids and alternation are left to `repair`. */
  write(messages: readonly Neutral[], report: (index: number) => ReportLoss): Readonly<Record<string, unknown>>[];
  /** The form of a system prompt outside the messages, where the API wants it there. */
  system?: {
    read(prompt: unknown, report: ReportLoss): Text[];
    write(texts: readonly Text[], report: ReportLoss): unknown;
  };
  /** Which names of tools it accepts. */
  names?: { pattern: RegExp; maximumLength: number; prefix: string; forbidden: RegExp };
}
