/** A field of the outermost object as JSON text; of an array that is read item by item, one item. */
export interface JsonPart {
  field: string;
  /** Undefined for a whole field. */
  index: number | undefined;
  text: string;
}

export type JsonPartsFailure =
  | { kind: "not-json"; reason: string }
  /** The text ends within the object: a download that broke off. */
  | { kind: "cut-off" }
  /** A part is longer, or nested more deeply, than what is read. */
  | { kind: "too-large" | "too-deep"; field: string };

export class JsonPartsError extends Error {
  readonly failure: JsonPartsFailure;

  constructor(failure: JsonPartsFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

interface Options {
  /** Fields whose arrays are read item by item. */
  arrays: ReadonlySet<string>;
  /** Fields that are not needed: their text is not kept. */
  skipped: ReadonlySet<string>;
  /** Limit of one part, in UTF-16 units. */
  maxLength: number;
}

const maxDepth = 500;
const inText = /["\\]/g;
const inStructure = /["[\]{}]/g;
const plainEnd = /[\s,\]}]/g;

/** What comes next outside of a value. */
type Place = "object" | "first-name" | "name" | "colon" | "value" | "after-value" | "first-item" | "item" | "after-item" | "end";

/** A value that is being read. */
interface OpenValue {
  kind: "text" | "nested" | "plain";
  depth: number;
  isInText: boolean;
  isEscaped: boolean;
  pieces: string[];
  length: number;
  isKept: boolean;
}

/**
 * Splits the text of one JSON object into its fields while the text is read, so that it does not have to fit into memory. Only the outermost
 * object and the arrays that are read item by item are checked here; the text of a part may still be no JSON.
 */
export class JsonParts {
  readonly #options: Options;
  #place: Place = "object";
  #value: OpenValue | undefined;
  #field = "";
  #names = new Set<string>();
  #index: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The parts that end in this chunk. Throws a `JsonPartsError`. */
  *read(chunk: string): Generator<JsonPart, void> {
    for (let at = 0; at < chunk.length; ) {
      if (this.#value !== undefined) {
        at = this.#readValue(this.#value, chunk, at);
        if (this.#value.depth === 0) {
          const part = this.#endValue(this.#value);
          if (part !== undefined) yield part;
        }
      } else {
        const character = chunk.charAt(at);
        if (character === " " || character === "\n" || character === "\r" || character === "\t") at += 1;
        else if (this.#step(character)) at += 1;
      }
    }
  }

  /** Call it after the last chunk. */
  end(): void {
    if (this.#place !== "end") throw new JsonPartsError({ kind: "cut-off" });
  }

  /** Returns whether the character was consumed; otherwise a value begins with it. */
  #step(character: string): boolean {
    switch (this.#place) {
      case "object":
        if (character !== "{") throw unexpected(character);
        this.#place = "first-name";
        return true;
      case "first-name":
      case "name":
        if (character === "}" && this.#place === "first-name") this.#place = "end";
        else if (character === '"') return this.#beginValue("text");
        else throw unexpected(character);
        return true;
      case "colon":
        if (character !== ":") throw unexpected(character);
        this.#place = "value";
        return true;
      case "value":
        if (character === "[" && this.#options.arrays.has(this.#field)) {
          this.#place = "first-item";
          this.#index = 0;
          return true;
        }
        return this.#beginAny(character);
      case "first-item":
        if (character !== "]") return this.#beginAny(character);
        this.#endItems();
        return true;
      case "item":
        return this.#beginAny(character);
      case "after-item":
        if (character === ",") this.#place = "item";
        else if (character === "]") this.#endItems();
        else throw unexpected(character);
        return true;
      case "after-value":
        if (character === ",") this.#place = "name";
        else if (character === "}") this.#place = "end";
        else throw unexpected(character);
        return true;
      case "end":
        throw unexpected(character);
    }
  }

  #endItems(): void {
    this.#index = undefined;
    this.#place = "after-value";
  }

  #beginAny(character: string): boolean {
    if (character === '"') return this.#beginValue("text");
    if (character === "{" || character === "[") return this.#beginValue("nested");
    if (/[-0-9a-z]/.test(character)) return this.#beginValue("plain");
    throw unexpected(character);
  }

  #beginValue(kind: OpenValue["kind"]): false {
    const isKept = !this.#options.skipped.has(this.#field) || this.#isName();
    this.#value = { kind, depth: 1, isInText: false, isEscaped: false, pieces: [], length: 0, isKept };
    return false;
  }

  #isName(): boolean {
    return this.#place === "first-name" || this.#place === "name";
  }

  /** Returns where reading continues. The value has ended if its depth is 0 then. */
  #readValue(value: OpenValue, chunk: string, from: number): number {
    const to = value.kind === "plain" ? this.#findPlainEnd(value, chunk, from) : this.#findEnd(value, chunk, from);
    value.length += to - from;
    if (value.isKept) {
      if (value.length > this.#options.maxLength) throw new JsonPartsError({ kind: "too-large", field: this.#field });
      value.pieces.push(chunk.slice(from, to));
    }
    return to;
  }

  #findPlainEnd(value: OpenValue, chunk: string, from: number): number {
    plainEnd.lastIndex = from;
    const found = plainEnd.exec(chunk);
    if (found === null) return chunk.length;
    value.depth = 0;
    return found.index;
  }

  #findEnd(value: OpenValue, chunk: string, from: number): number {
    let at = from;
    if (value.length === 0) {
      at += 1;
      value.isInText = value.kind === "text";
    }
    while (at < chunk.length) {
      if (value.isEscaped) {
        value.isEscaped = false;
        at += 1;
        continue;
      }
      const pattern = value.isInText ? inText : inStructure;
      pattern.lastIndex = at;
      const found = pattern.exec(chunk);
      if (found === null) return chunk.length;
      at = found.index + 1;
      const [character] = found;
      if (character === "\\") value.isEscaped = true;
      else if (character === '"') {
        value.isInText = !value.isInText;
        if (value.kind === "text") value.depth = 0;
      } else if (character === "{" || character === "[") value.depth += 1;
      else value.depth -= 1;
      if (value.depth > maxDepth) throw new JsonPartsError({ kind: "too-deep", field: this.#field });
      if (value.depth === 0) return at;
    }
    return chunk.length;
  }

  #endValue({ pieces, isKept }: OpenValue): JsonPart | undefined {
    const text = pieces.join("");
    this.#value = undefined;
    if (this.#isName()) {
      this.#beginField(text);
      return undefined;
    }
    const part = { field: this.#field, index: this.#index, text };
    if (this.#index === undefined) this.#place = "after-value";
    else {
      this.#index += 1;
      this.#place = "after-item";
    }
    return isKept ? part : undefined;
  }

  #beginField(text: string): void {
    this.#field = parseJson(text) as string;
    if (this.#names.has(this.#field)) throw new JsonPartsError({ kind: "not-json", reason: `${text} appears twice` });
    this.#names.add(this.#field);
    this.#place = "colon";
  }
}

/** Throws a `JsonPartsError`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonPartsError({ kind: "not-json", reason: error instanceof Error ? error.message : String(error) });
  }
}

function unexpected(character: string): JsonPartsError {
  return new JsonPartsError({ kind: "not-json", reason: `unexpected ${JSON.stringify(character)}` });
}
