import type { SearchHit } from "@skein/contracts";
import { foldText } from "./fold-text.ts";

/** A hit, and all of the text that it was found in. */
export interface Candidate {
  hit: SearchHit;
  text: string;
}

/** What someone means most often first: a task by its title, then what was said, then what tools printed. */
const weights: Record<SearchHit["source"], number> = { title: 6, user: 3, assistant: 3, description: 3, other: 1, thinking: 1, tool: 0 };

/** Words that stand together as they were typed count more than words that are somewhere. Of equals the newest comes first. */
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
