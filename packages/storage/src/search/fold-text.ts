/** A text as it is compared: lower case, without accents. `places[i]` is where the character at `i` begins in the text itself. */
export interface FoldedText {
  text: string;
  places: readonly number[];
}

/** Folding changes lengths (İ, ß, é): every place is kept, so that what is found can be marked where it stands. */
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
