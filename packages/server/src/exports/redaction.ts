import { setImmediate } from "node:timers/promises";
import type { ExportRedaction, RedactionPreview, SecretFinding, SecretKind, SecretPlace } from "@skein/contracts";
import { mergeMatches, replaceInLines, replaceMatches, type SecretFinder, type SecretMatch } from "@skein/engine";

/** Other work gets a turn after so long. */
const sliceMs = 8;
/** A longer text is searched in parts, with turns for other work in between. */
const partLength = 64 * 1024;
const maxFindings = 1000;
const maxPlaces = 5;
const contextLength = 60;

export type ExportPlace = Pick<SecretPlace, "part" | "id">;

/** Redacts the values of one export, and knows what it has found. */
export interface Redaction {
  /** Returns a copy of a JSON value without secrets. Yields to other work. */
  redact<T>(value: T, place: ExportPlace): Promise<T>;
  toSummary(): ExportRedaction;
  toPreview(): RedactionPreview;
}

/** What replaces a value. Paths stay readable. */
export function toReplacement(kind: SecretKind): string {
  if (kind === "home-path") return "~";
  return kind === "user-name" ? "[user]" : `[redacted: ${kind}]`;
}

/** Kinds whose values users recognise, and which are worth nothing to others. */
const shownKinds: ReadonlySet<SecretKind> = new Set(["home-path", "user-name", "own-word"]);

/** Fields with ids and names of our own, which an ordinary word must not change: the result would not be readable any more. */
const structural = new Set([
  ...["id", "role", "type", "messageType", "state", "status", "kind", "code", "mediaType", "change", "scope", "action", "format", "agent"],
  ...["taskId", "projectId", "attemptId", "executionId", "activeAttemptId", "summaryId", "toolUseId", "parentToolUseId", "toolCallId"],
]);
/** Fields with what a tool or a user wrote, whatever the names of the fields inside. */
const freeFields = new Set(["input", "answers", "providerData"]);

/** `toId` names a value in previews; `keep` has the ids of those that are not redacted. */
export function createRedaction(options: {
  finder: SecretFinder;
  toId(kind: SecretKind, value: string): string;
  keep?: Iterable<string> | undefined;
  /** Collects findings for a preview. */
  collects?: boolean;
}): Redaction {
  const { finder, toId, collects = false } = options;
  const keep = new Set(options.keep);
  const kept = new Set<string>();
  const counts = new Map<SecretKind, number>();
  const findings = new Map<string, SecretFinding>();
  const unlisted = new Set<string>();
  let sliceStart = performance.now();

  function* findIn(text: string, isStructural: boolean): Generator<void, SecretMatch[]> {
    const found: SecretMatch[] = [];
    for (let from = 0; from < text.length; from += partLength) {
      found.push(...finder.find(text, { from, to: Math.min(text.length, from + partLength) }));
      if (text.length > partLength) yield;
    }
    const chosen = found.filter((match) => {
      if (isStructural && shownKinds.has(match.kind)) return false;
      if (keep.size === 0) return true;
      const id = toId(match.kind, text.slice(match.start, match.end));
      if (!keep.has(id)) return true;
      kept.add(id);
      return false;
    });
    return mergeMatches(chosen);
  }

  function note(text: string, matches: readonly SecretMatch[], place: ExportPlace): void {
    matches.forEach((match, index) => {
      const { kind, start, end } = match;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (!collects) return;
      const value = text.slice(start, end);
      const id = toId(kind, value);
      const known = findings.get(id);
      if (known === undefined && findings.size >= maxFindings) {
        unlisted.add(id);
        return;
      }
      const before = text.slice(Math.max(start - contextLength, matches[index - 1]?.end ?? 0), start);
      const after = text.slice(end, Math.min(end + contextLength, matches[index + 1]?.start ?? text.length));
      const found = { ...place, before, after };
      if (known !== undefined) {
        known.count++;
        if (known.places.length < maxPlaces) known.places.push(found);
        return;
      }
      const name = match.name === undefined ? {} : { name: match.name };
      findings.set(id, { id, kind, ...name, masked: mask(kind, value), replacement: toReplacement(kind), count: 1, places: [found] });
    });
  }

  function* redactText(text: string, place: ExportPlace, isStructural: boolean): Generator<void, string> {
    if (text.length < 3) return text;
    const matches = yield* findIn(text, isStructural);
    note(text, matches, place);
    return replaceMatches(text, matches, ({ kind }) => toReplacement(kind));
  }

  function* walk(value: unknown, place: ExportPlace, isFree: boolean): Generator<void, unknown> {
    if (typeof value === "string") return yield* redactText(value, place, false);
    if (typeof value !== "object" || value === null) return value;
    yield;
    if (Array.isArray(value)) {
      // lines of a diff or of a list: a key may extend over several
      if (value.length > 1 && value.every((item) => typeof item === "string")) {
        const text = value.join("\n");
        const matches = yield* findIn(text, false);
        note(text, matches, place);
        return replaceInLines(value, matches, ({ kind }) => toReplacement(kind));
      }
      const items: unknown[] = [];
      for (const item of value) items.push(yield* walk(item, place, isFree));
      return items;
    }
    const fields = value as Record<string, unknown>;
    const isImage = typeof fields.mediaType === "string" && typeof fields.data === "string";
    const result: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      const key = isFree ? yield* redactText(name, place, false) : name;
      if (isImage && name === "data") result[key] = field;
      else if (typeof field === "string") result[key] = yield* redactText(field, place, !isFree && structural.has(name));
      else result[key] = yield* walk(field, place, isFree || freeFields.has(name));
    }
    return result;
  }

  return {
    async redact(value, place) {
      const steps = walk(value, place, false);
      for (;;) {
        const { done, value: result } = steps.next();
        if (done) return result as typeof value;
        if (performance.now() - sliceStart < sliceMs) continue;
        await setImmediate();
        sliceStart = performance.now();
      }
    },
    toSummary: () => ({
      redacted: [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => a.kind.localeCompare(b.kind, "en")),
      kept: kept.size,
    }),
    toPreview: () => ({ findings: [...findings.values()], more: unlisted.size }),
  };
}

/** Enough to recognise a value, and not enough to use it. */
function mask(kind: SecretKind, value: string): string {
  if (shownKinds.has(kind)) return value;
  const start = kind === "connection-string" || value.length < 16 ? "" : value.slice(0, 4).replace(/\s/g, " ");
  return `${start}••••••`;
}
