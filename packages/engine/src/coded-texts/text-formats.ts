import type { CodedText, MessageText } from "@skein/contracts";

/** Formats a text that is a parameter of another. */
export type FormatText = (text: MessageText) => string;

/** The formats of one language by code. A missing code does not compile. */
export type TextFormats<Text extends { code: string }> = {
  readonly [Code in Text["code"]]: string | ((text: Extract<Text, { code: Code }>, format: FormatText) => string);
};

/** Returns `english` if there is no code, or one of another release: unknown, or with other parameters. */
export type FormatCodedText = (text: CodedText | undefined, english: string) => string;

/** Creates the formatter of one language. Never throws: a text that cannot be formatted falls back to English. */
export function createTextFormatter(formats: TextFormats<CodedText>): FormatCodedText {
  const words = formats as Readonly<Record<string, string | ((text: CodedText, format: FormatText) => string)>>;
  const format: FormatCodedText = (text, english) => {
    const found = text !== undefined && Object.hasOwn(words, text.code) ? words[text.code] : undefined;
    if (text === undefined || found === undefined) return english;
    if (typeof found === "string") return found;
    try {
      return found(text, (inner) => (typeof inner === "string" ? inner : format(inner, inner.code)));
    } catch {
      return english;
    }
  };
  return format;
}
