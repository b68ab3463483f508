import type { SecretKind } from "@skein/contracts";
import { longestSecret, secretPatterns } from "./secret-patterns.ts";

/** A value that is redacted wherever it occurs. */
export interface KnownSecret {
  kind: Extract<SecretKind, "environment-secret" | "home-path" | "user-name" | "own-word">;
  value: string;
  /** The variable that has it. */
  name?: string | undefined;
}

/** A secret in a text: `text.slice(start, end)`. */
export interface SecretMatch {
  start: number;
  end: number;
  kind: SecretKind;
  name?: string | undefined;
}

/** Finds secrets in texts. */
export interface SecretFinder {
  /**
   * Secrets in a part of `text`, which may also be looked for part by part; with overlaps, in no particular order. A word that a part begins
   * in the middle of may be taken for a secret: too much is found at such a place, never too little.
   */
  find(text: string, range?: { from: number; to: number }): SecretMatch[];
}

/**
 * Finds known values, also as they are written in URLs, JSON and base64, and everything that has the form of a secret. Takes time in
 * proportion to the length of a text.
 */
export function createSecretFinder(known: readonly KnownSecret[]): SecretFinder {
  const finders = [...listKnownFinders(known), ...secretPatterns.map((one) => ({ ...one, nameOf: undefined }))];
  return {
    find(text, { from, to } = { from: 0, to: text.length }) {
      // one character before, so that the start of a word is recognised
      const offset = Math.max(0, from - 1);
      const part = offset === 0 && to + longestSecret >= text.length ? text : text.slice(offset, to + longestSecret);
      const matches: SecretMatch[] = [];
      for (const { kind, pattern, group, nameOf } of finders) {
        pattern.lastIndex = 0;
        for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
          const value = match[group] ?? "";
          if (value === "") {
            if (match[0] === "") pattern.lastIndex++;
            continue;
          }
          const begin = offset + match.index;
          // what begins later is found in the next part
          if (begin >= to) break;
          // the group is the last part of its pattern, or followed by one character that it cannot contain
          const at = begin + (group === 0 ? 0 : match[0].lastIndexOf(value));
          const name = nameOf?.(value);
          if (at + value.length > from) matches.push({ start: at, end: at + value.length, kind, ...(name === undefined ? {} : { name }) });
        }
      }
      return matches;
    },
  };
}

interface Finder {
  kind: SecretKind;
  pattern: RegExp;
  group: number;
  nameOf: ((value: string) => string | undefined) | undefined;
}

/** One pattern for all values of a kind: a search takes the same time for one and for a hundred. */
function listKnownFinders(known: readonly KnownSecret[]): Finder[] {
  const kinds = [...new Set(known.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const ofKind = known.filter((one) => one.kind === kind && one.value !== "");
    const names = new Map(ofKind.flatMap(({ value, name }) => listForms(value).map((form) => [form, name] as const)));
    const forms = [...names.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
    const isWord = kind === "user-name";
    const isPath = kind === "home-path";
    const source = `${isWord ? "(?<![\\p{L}\\p{N}_])" : isPath ? "(?<![\\p{L}\\p{N}_.~-])" : ""}(?:${forms.join("|")})${isWord || isPath ? "(?![\\p{L}\\p{N}_])" : ""}`;
    return { kind, pattern: new RegExp(source, kind === "own-word" ? "giu" : "gu"), group: 0, nameOf: (value) => names.get(value) };
  });
}

/** A value as it is, in JSON, in a URL, and in base64 if it is long enough not to be found by chance. */
function listForms(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return [
    ...new Set([value, inJson, JSON.stringify(inJson).slice(1, -1), encodeUri(value), ...(value.length < 8 ? [] : [toBase64(value)])]),
  ];
}

function encodeUri(value: string): string {
  // a lone surrogate cannot be encoded
  return encodeURIComponent(value.toWellFormed());
}

function toBase64(value: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(value))).replace(/=+$/, "");
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
