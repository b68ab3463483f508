import { digest } from "./digest.ts";

export interface IdRules {
  pattern: RegExp;
  /** The replacement for the nth attempt; must return ids that match the pattern. */
  encode(id: string, attempt: number): string;
}

/**
 * Maps call ids to ids that a provider accepts. Valid ids are kept; others are replaced by a digest. Two ids never collide, and a result
 * depends only on the ids mapped before it, so a longer history begins with the same ids.
 */
export class IdMap {
  readonly #rules: IdRules;
  readonly #toMapped = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(rules: IdRules) {
    this.#rules = rules;
  }

  map(id: string): string {
    const known = this.#toMapped.get(id);
    if (known !== undefined) return known;
    let mapped = this.#rules.pattern.test(id) ? id : this.#rules.encode(id, 0);
    for (let attempt = 1; this.#used.has(mapped); attempt++) mapped = this.#rules.encode(id, attempt);
    this.#toMapped.set(id, mapped);
    this.#used.add(mapped);
    return mapped;
  }
}

function toDigestId(id: string, attempt: number): string {
  return `call_${digest(`${attempt} ${id}`).slice(0, 32)}`;
}

/** Ids of tool calls that Anthropic accepts. */
export const anthropicIds: IdRules = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, encode: toDigestId };
/** Ids of tool calls that OpenAI's Responses API accepts. */
export const responsesIds: IdRules = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, encode: toDigestId };
/** Ids of tool calls that Gemini accepts. */
export const geminiIds: IdRules = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, encode: toDigestId };
/** Ids of tool calls that Chat Completions accepts. */
export const chatIds: IdRules = { pattern: /^[a-zA-Z0-9_-]{1,40}$/, encode: toDigestId };
/** Ids of tool calls that Mistral accepts: nine letters or digits. */
export const mistralIds: IdRules = {
  pattern: /^[a-zA-Z0-9]{9}$/,
  encode: (id, attempt) => digest(`${attempt} ${id}`).slice(0, 9),
};
