import { digest } from "./digest.ts";

export interface NameRules {
  pattern: RegExp;
  maximumLength: number;
  /** What may stand in front of a name that may not begin as it does. */
  prefix: string;
  /** Characters that may not stand in a name. */
  forbidden: RegExp;
}

/**
 * Tool names as a provider accepts them, and back. A name that fits stays as it is; another keeps what it can and gets a
 * digest behind it, so that `files.read` and `files_read` stay two tools.
 */
export class NameMap {
  readonly #rules: NameRules;
  readonly #toMapped = new Map<string, string>();
  readonly #toOriginal = new Map<string, string>();

  /** `declared` first: the tools that can be called keep their names before those that only the history knows. */
  constructor(rules: NameRules, declared: readonly { name: string }[]) {
    this.#rules = rules;
    for (const { name } of declared) this.map(name);
  }

  map(name: string): string {
    const known = this.#toMapped.get(name);
    if (known !== undefined) return known;
    let mapped = this.#rules.pattern.test(name) ? name : this.#encode(name, 0);
    for (let attempt = 1; this.#toOriginal.has(mapped); attempt++) mapped = this.#encode(name, attempt);
    this.#toMapped.set(name, mapped);
    this.#toOriginal.set(mapped, name);
    return mapped;
  }

  /** A name that was never sent is what the model made up: it stays as it is. */
  toOriginal(mapped: string): string {
    return this.#toOriginal.get(mapped) ?? mapped;
  }

  #encode(name: string, attempt: number): string {
    const { prefix, forbidden, maximumLength } = this.#rules;
    const suffix = `_${digest(`${attempt} ${name}`, "hex").slice(0, 10)}`;
    const start = `${prefix}${name.replace(forbidden, "_")}`;
    return start.slice(0, maximumLength - suffix.length) + suffix;
  }
}

const plain = { prefix: "", forbidden: /[^a-zA-Z0-9_-]/g };

export const anthropicNames: NameRules = { ...plain, pattern: /^[a-zA-Z0-9_-]{1,128}$/, maximumLength: 128 };
export const openaiNames: NameRules = { ...plain, pattern: /^[a-zA-Z0-9_-]{1,64}$/, maximumLength: 64 };
export const geminiNames: NameRules = {
  pattern: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  maximumLength: 64,
  prefix: "_",
  forbidden: /[^a-zA-Z0-9_.-]/g,
};
