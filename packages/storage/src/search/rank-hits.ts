import type { SearchHit } from "@skein/contracts";
import { foldText } from "./fold-text.ts";

/** A hit with the full text that it was found in. */
export interface Candidate {
  hit: SearchHit;
  text: string;
}

/** Weights by likely intent: task titles, then messages, then tool output. */
const weights: Record<SearchHit["source"], number> = { title: 6, user: 3, assistant: 3, description: 3, other: 1, thinking: 1, tool: 0 };

/** Adjacent words in the typed order rank higher than scattered ones. Ties: newest first. */
export function rankHits(candidates: readonly Candidate[], query: string, limit: number): SearchHit[] {
  const phrase = foldText(query.trim().replace(/\s+/g, " ")).text;
  const scored = candidates.map(({ hit, text }) => {
    const folded = foldText(text.slice(0, 20_000)).text;
    const at = folded.indexOf(phrase);
    const isWhole = at !== -1 && !isLetter(folded.charAt(at - 1)) && !isLetter(folded.charAt(at + phrase.length));
    return { hit, score: weights[hit.source] + (at === -1 ? 0 : 2) + (isWhole ? 1 : 0) };
  });
  return scored
    .sort((a, b) => b.score - a.score || b.hit.at - a.hit.at)
    .slice(0, limit)
    .map(({ hit }) => hit);
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}
