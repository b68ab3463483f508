/** Going through what was sent before, as a shell does. `place` counts back from the newest; -1 is what is being typed. */
export interface HistoryPlace {
  place: number;
  /** What was being typed when it began. */
  draft: string;
}

export const atDraft: HistoryPlace = { place: -1, draft: "" };

/** The next older or newer one, and its text; null where there is none. `sent` has the newest last. */
export function stepHistory(
  sent: readonly string[],
  at: HistoryPlace,
  direction: "older" | "newer",
  typed: string,
): { at: HistoryPlace; text: string } | null {
  const draft = at.place === -1 ? typed : at.draft;
  const place = at.place + (direction === "older" ? 1 : -1);
  if (place === -1 && at.place === 0) return { at: atDraft, text: draft };
  const text = place < 0 ? undefined : sent[sent.length - 1 - place];
  return text === undefined ? null : { at: { place, draft }, text };
}

/** Each once, at its newest place. */
export function toSentHistory(messages: readonly { role: string; messageType: string; content: string }[]): string[] {
  const sent = new Set<string>();
  for (const { role, messageType, content } of messages) {
    if (role !== "user" || messageType !== "text" || content.trim() === "") continue;
    sent.delete(content);
    sent.add(content);
  }
  return [...sent];
}
