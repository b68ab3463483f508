/** Rewrites paths of earlier working folders to the current one. Text without such a path is returned unchanged. */
export interface PathMover {
  /** In ordinary text, which may quote JSON, shell commands and URLs. */
  moveText(text: string): string;
  /** In JSON text, complete or not: valid JSON stays valid. */
  moveJson(json: string): string;
}

/** Which folders are replaced by which. */
export interface PathMoves {
  /** Absolute paths of the earlier folders, without a slash at the end. */
  from: readonly string[];
  /** The current folder. */
  to: string;
  /** Folders that are not moved, even inside one that is. */
  keep?: readonly string[];
  /** The home folder, for `~` and `$HOME`. */
  home?: string;
}

/**
 * Matches whole paths only: `/wt/a` is not found in `/wt/a-2`, `/wt/a.bak`, `/mnt/wt/a` or `user@host:/wt/a`. Recognises plain paths,
 * JSON, shell and URL escapes, and `~` or `$HOME` for the home folder. All folders are replaced in one pass, so that nothing is rewritten
 * twice.
 */
export function createPathMover({ from, to, keep = [], home }: PathMoves): PathMover {
  const kept = [to, ...keep].map((path): Move => ({ from: path, to: null }));
  const moves = [...from.filter((path) => path !== to).map((path): Move => ({ from: path, to })), ...kept];
  const text = createReplacement(moves.flatMap((move) => toForms(move, { home, write: (path) => path })));
  const json = createReplacement(moves.flatMap((move) => toForms(move, { home, write: escapeJson })));
  return { moveText: text, moveJson: json };
}

interface Move {
  from: string;
  /** Null: it stays. */
  to: string | null;
}

interface Form {
  text: string;
  replacement: string | null;
  /** After `file://`, where it differs. */
  url: string | null;
}

function toForms({ from, to }: Move, { home, write }: { home: string | undefined; write(path: string): string }): Form[] {
  const toForm = (change: (path: string) => string): Form => ({
    text: change(from),
    replacement: to === null ? null : change(to),
    url: to === null ? null : encodeURI(to),
  });
  const escapes = [write, (path: string) => escapeJson(write(path)), toAscii, escapeSlashes, escapeShell, encodeURI, encodeURIComponent];
  const forms = escapes.map(toForm);
  const rest = home === undefined || home === "/" || !from.startsWith(`${home}/`) ? undefined : from.slice(home.length);
  if (rest !== undefined) {
    for (const name of ["~", "$HOME", `\${HOME}`]) {
      forms.push({ text: name + write(rest), replacement: to === null ? null : write(to), url: null });
    }
  }
  return forms;
}

function createReplacement(forms: readonly Form[]): (text: string) => string {
  const byText = new Map<string, Form>();
  for (const form of forms) if (!byText.has(form.text)) byText.set(form.text, form);
  // the longest first: a folder inside another one is its own
  const sorted = [...byText.values()].sort((a, b) => b.text.length - a.text.length);
  const pattern = new RegExp(`${before}(?:${sorted.map((form) => `(${toPattern(form.text)})`).join("|")})`, "gu");
  const needles = [...new Set(sorted.map(({ text }) => text.slice(text.lastIndexOf("/") + 1)))];
  return (text) => {
    if (!needles.some((needle) => text.includes(needle))) return text;
    return text.replace(pattern, (match, ...rest: unknown[]) => {
      const form = sorted[rest.findIndex((group) => group !== undefined)];
      if (form === undefined || form.replacement === null) return match;
      const offset = rest[sorted.length] as number;
      return form.url !== null && text.slice(0, offset).endsWith("file://") ? form.url : form.replacement;
    });
  };
}

/** What may directly precede a path although it ends in a letter, digit or slash. */
const openings = [
  String.raw`\\[nrtbfv]`, // an escaped line end or tab
  String.raw`\u001b\[[0-9;]*m`, // a colour
  String.raw`\\u001b\[[0-9;]*m`,
  String.raw`file:\/\/(?:localhost)?`,
  String.raw`file:\\\/\\\/`,
  String.raw`(?:^|[\s"'=])-[A-Za-z]`, // an option: -I/path
  String.raw`(?:^|\s)[ab]`, // the sides of a diff: a/path
].map((opening) => `(?<=${opening})`);
/** A path of another machine: user@host:/path, user@[::1]:/path. */
const elsewhere = String.raw`(?<![A-Za-z0-9_.-]@(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):)`;
const before = String.raw`${elsewhere}(?:(?<![A-Za-z0-9_.~/\\})-])|${openings.join("|")})`;

function toPattern(text: string): string {
  const [first = "", ...names] = text.split("/");
  const pattern = [first, ...names].map(escapePattern).join(String.raw`\/`);
  // doubled slashes and dots between path segments are equivalent
  const loose = pattern.replaceAll(/(?<=[^/])\\\/(?=[^/])/g, (slash) => `${slash}+(?:\\.${slash}+)*`);
  return (first === "" ? `\\/${loose.slice(2)}` : loose) + toEnd(text);
}

/** A name continues with letters and digits; Chinese or other text after an ASCII path is not part of it. */
function toEnd(text: string): string {
  const more = /[\u0080-\u{10ffff}]$/u.test(text) ? String.raw`[\p{L}\p{N}_~@+-]` : "[A-Za-z0-9_~@+-]";
  return String.raw`(?!${more}|%(?!2[Ff])|\.(?=[\p{L}\p{N}_-]))`;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeSlashes(text: string): string {
  return escapeJson(text).replaceAll("/", String.raw`\/`);
}

function toAscii(text: string): string {
  return escapeJson(text).replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function escapeShell(text: string): string {
  return text.replaceAll(/[\s"'$&()*;<>?[\\\]`{|}!#]/g, String.raw`\$&`);
}
