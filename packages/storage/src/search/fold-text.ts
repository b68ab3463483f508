/** A text for comparison: lower case, without accents. `places[i]` is the position of character `i` in the original text. */
export interface FoldedText {
  text: string;
  places: readonly number[];
}

/** Folding changes lengths (İ, ß, é): positions are kept, so that matches can be highlighted in the original. */
export function foldText(text: string): FoldedText {
  let folded = "";
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = character < "\u0080" ? character.toLowerCase() : foldCharacter(character);
    for (let index = 0; index < plain.length; index++) places.push(at);
    folded += plain;
    at += character.length;
  }
  places.push(at);
  return { text: folded, places };
}

function foldCharacter(character: string): string {
  return character.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
