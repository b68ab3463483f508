import { type RevealedPart, revealText } from "@skein/engine";

/**
 * Text of an agent, safe to write to a terminal: nothing in it moves the cursor, sets a title, writes to the clipboard or
 * hides what follows. Control characters are shown as their symbols, so text that grows stays a prefix of itself.
 */
export function toTerminalText(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\uFFFD";
  });
}

/** On one line, with invisible characters shown by name: for texts on which the user bases a decision. */
export function toRevealedLine(text: string): string {
  return toLine(revealText(text));
}

/** The parts of a revealed text on one line. */
export function toLine(parts: readonly RevealedPart[]): string {
  return parts.map(toLinePart).join("");
}

function toLinePart(part: RevealedPart): string {
  switch (part.kind) {
    case "text":
      return part.source.replaceAll("\n", "⏎").replaceAll("\t", " ");
    case "hidden":
      return `<${part.codePoint}${part.count === 1 ? "" : ` × ${part.count}`}>`;
    case "blank-lines":
      return `<${part.count} blank lines>`;
    case "spaces":
      return `<${part.count} spaces>`;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not get through
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
