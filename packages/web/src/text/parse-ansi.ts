/** A run of characters with one style. Colours 0–15 are palette numbers, others `#rrggbb`. */
export interface AnsiSpan {
  text: string;
  color?: number | string;
  background?: number | string;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  inverse?: true;
  strike?: true;
}

type Style = Omit<AnsiSpan, "text">;

/*
 * Everything a terminal would act on: CSI, then strings (OSC, DCS, SOS, PM, APC) with or without their end, then two-byte
 * escapes, then C1 controls. An unfinished sequence at the end of the text is dropped with the rest.
 */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters
  /\u001b\[([0-?]*)([ -/]*)([@-~]?)|\u009b([0-?]*)([ -/]*)([@-~]?)|(?:\u001b[PX\]^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters other than tab and newline are what is removed
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Colours and weights are kept, every other escape sequence and control character is removed (X6). After `maxSpans` changes of
 * the look, the rest of the text has none.
 */
export function parseAnsi(input: string, { maxSpans = Number.POSITIVE_INFINITY }: { maxSpans?: number } = {}): AnsiSpan[] {
  const text = resolveCarriageReturns(input);
  const spans: AnsiSpan[] = [];
  const rest: string[] = [];
  let style: Style = {};
  let position = 0;
  const push = (raw: string): void => {
    const clean = raw.replace(controls, "");
    if (clean === "") return;
    if (spans.length < maxSpans) spans.push({ text: clean, ...style });
    else rest.push(clean);
  };
  for (const match of text.matchAll(sequence)) {
    push(text.slice(position, match.index));
    position = match.index + match[0].length;
    const isColour = (match[3] ?? match[6]) === "m" && !(match[2] || match[5]);
    if (isColour) style = applySgr(style, match[1] ?? match[4] ?? "");
  }
  push(text.slice(position));
  return rest.length === 0 ? spans : [...spans, { text: rest.join("") }];
}

/** Without styles: for copying and for counting lines. */
export function stripAnsi(input: string): string {
  return parseAnsi(input)
    .map((span) => span.text)
    .join("");
}

/** A progress bar rewrites its line: only what it wrote last is shown. */
function resolveCarriageReturns(input: string): string {
  const text = input.replaceAll("\r\n", "\n");
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => {
      const parts = line.split("\r");
      return parts.findLast((part) => part !== "") ?? "";
    })
    .join("\n");
}

function applySgr(current: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let style: Style = { ...current };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = readExtendedColor(codes.slice(i + 1, i + 5));
      i += used;
      if (color !== undefined) style[code === 38 ? "color" : "background"] = color;
    } else style = applyCode(style, code);
  }
  return style;
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 9) return { ...style, strike: true };
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  return omit(style, endsOf[code] ?? []);
}

const endsOf: Record<number, (keyof Style)[]> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
  39: ["color"],
  49: ["background"],
};

function omit(style: Style, keys: (keyof Style)[]): Style {
  const rest = { ...style };
  for (const key of keys) delete rest[key];
  return rest;
}

const isByte = (value: number | undefined): value is number => value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;

function readExtendedColor(codes: number[]): { color?: number | string; used: number } {
  const [kind, a, b, c] = codes;
  if (kind === 5) return isByte(a) ? { color: fromPalette(a), used: 2 } : { used: 2 };
  if (kind === 2) return isByte(a) && isByte(b) && isByte(c) ? { color: toHex(a, b, c), used: 4 } : { used: 4 };
  return { used: 1 };
}

function fromPalette(index: number): number | string {
  if (index < 16) return index;
  if (index >= 232) return toHex(8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10);
  const level = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return toHex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function toHex(...channels: number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
