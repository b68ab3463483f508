import { digest } from "./digest.ts";

export interface NameRules {
  pattern: RegExp;
  maximumLength: number;
  /** Prefix for names whose first character is not allowed at the start. */
  prefix: string;
  /** Characters that are not allowed in a name. */
  forbidden: RegExp;
}

/**
 * Maps tool names to names that a provider accepts, and back. Valid names are kept. Other names keep their valid characters and get a
 * digest as suffix, so that `files.read` and `files_read` remain two tools.
 */
export class NameMap {
  readonly #rules: NameRules;
  readonly #toMapped = new Map<string, string>();
  readonly #toOriginal = new Map<string, string>();

  /** `declared` first: callable tools keep their names before those that appear only in the history. */
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

  /** A name that was never sent was made up by the model and is returned unchanged. */
  toOriginal(mapped: string): string {
    return this.#toOriginal.get(mapped) ?? mapped;
  }

  #encode(name: string, attempt: number): string {
    const { prefix, forbidden, maximumLength } = this.#rules;
    const suffix = `_${digest(`${attempt} ${name}`).slice(0, 10)}`;
    const start = `${prefix}${name.replace(forbidden, "_")}`;
    return start.slice(0, maximumLength - suffix.length) + suffix;
  }
}

const plain = { prefix: "", forbidden: /[^a-zA-Z0-9_-]/g };

/** Names of tools that Anthropic accepts. */
export const anthropicNames: NameRules = { ...plain, pattern: /^[a-zA-Z0-9_-]{1,128}$/, maximumLength: 128 };
/** Names of tools that OpenAI accepts, in both of its APIs. */
export const openaiNames: NameRules = { ...plain, pattern: /^[a-zA-Z0-9_-]{1,64}$/, maximumLength: 64 };
/** Names of tools that Gemini accepts. */
export const geminiNames: NameRules = {
  pattern: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
  maximumLength: 64,
  prefix: "_",
  forbidden: /[^a-zA-Z0-9_.-]/g,
};
