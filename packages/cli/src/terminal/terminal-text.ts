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

/** As `toTerminalText`, on one line, with direction marks and invisible characters named: for what a person decides by. */
export function toRevealedLine(text: string): string {
  return toTerminalText(text.replace(/\r?\n/g, "⏎").replace(/\t/g, " ")).replace(
    invisibles,
    (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not get through
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const invisibles = /[\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/g;
