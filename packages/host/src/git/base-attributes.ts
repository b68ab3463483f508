/** One `.gitattributes` file of the base; one character per byte. */
export interface BaseAttributes {
  /** Empty, or ends with `/`. */
  folder: string;
  text: string;
}

/**
 * Attributes to reset unless the base sets them: an attribute in a file that an agent wrote could hide a change. `ident` drops the
 * text between `$Id:` and `$`, `-diff` shows no lines, `text` ignores line endings.
 */
const nothing = "* -text !eol !crlf !ident !filter !working-tree-encoding !diff !merge !whitespace !conflict-marker-size";

/**
 * The content of `info/attributes` in our git dir, which overrides every `.gitattributes`. It keeps only those attributes of the base
 * that make git itself convert files: `eol=crlf`, UTF-16 and UTF-32. Filters are never kept.
 */
export function toOwnAttributes(files: readonly BaseAttributes[]): Buffer {
  const lines = [nothing];
  const macros = new Map<string, string[]>([["binary", ["-text"]]]);
  for (const { folder, text } of files) {
    for (const line of text.split("\n")) {
      const parsed = parseLine(line.replace(/\r$/, ""));
      if (parsed === undefined) continue;
      const { pattern, attributes } = parsed;
      if (pattern.startsWith("[attr]")) {
        if (folder === "") macros.set(pattern.slice("[attr]".length), expand(attributes, macros));
        continue;
      }
      const kept = keepConversions(expand(attributes, macros));
      if (kept.length > 0) lines.push(`${quote(anchor(pattern, folder))} ${kept.join(" ")}`);
    }
  }
  return Buffer.from(`${lines.join("\n")}\n`, "latin1");
}

/** Whether the base stores any file with Git LFS. */
export function usesLfs(files: readonly BaseAttributes[]): boolean {
  return files.some(({ text }) => /^[^#\n]*\sfilter=lfs(\s|$)/m.test(text));
}

function parseLine(line: string): { pattern: string; attributes: string[] } | undefined {
  const trimmed = line.replace(/^[ \t]+/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const quoted = /^"((?:[^"\\]|\\.)*)"(.*)$/s.exec(trimmed);
  const [pattern = "", rest = ""] = quoted
    ? [unquote(quoted[1] ?? ""), quoted[2]]
    : [/^[^ \t]+/.exec(trimmed)?.[0], trimmed.replace(/^[^ \t]+/, "")];
  // git rejects negated patterns, and folders have no attributes
  if (pattern === "" || pattern.startsWith("!") || pattern.endsWith("/")) return undefined;
  return { pattern, attributes: rest.split(/[ \t]+/).filter((attribute) => attribute !== "") };
}

/** Expands macros: `binary` sets `-text` and more. */
function expand(attributes: readonly string[], macros: ReadonlyMap<string, string[]>): string[] {
  return attributes.flatMap((attribute) => [attribute, ...(macros.get(attribute) ?? [])]);
}

function keepConversions(attributes: readonly string[]): string[] {
  const has = (...names: string[]): boolean => names.some((name) => attributes.includes(name));
  const kept: string[] = [];
  if (has("-text", "!text", "-crlf", "eol=lf", "-eol", "!eol", "crlf=input")) kept.push("-text", "!eol");
  else if (has("eol=crlf")) kept.push(has("text") ? "text" : "text=auto", "eol=crlf");
  const encoding = attributes.findLast((attribute) => /^[-!]?working-tree-encoding/.test(attribute));
  if (encoding !== undefined) {
    kept.push(/^working-tree-encoding=utf-?(16|32)(le|be)?(-bom)?$/i.test(encoding) ? encoding : "!working-tree-encoding");
  }
  return kept;
}

/** Rewrites a pattern of a subfolder as a pattern of the repository's root. */
function anchor(pattern: string, folder: string): string {
  if (folder === "") return pattern;
  const above = folder.replace(/[*?[\]\\]/g, "\\$&");
  if (pattern.startsWith("/")) return `/${above}${pattern.slice(1)}`;
  return `/${above}${pattern.includes("/") ? "" : "**/"}${pattern}`;
}

const escapes: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\", '"': '"' };

function unquote(text: string): string {
  return text.replace(/\\([0-7]{3}|.)/gs, (_, code: string) =>
    /^[0-7]{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (escapes[code] ?? code),
  );
}

function quote(pattern: string): string {
  const toOctal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be quoted
  return `"${pattern.replace(/["\\]/g, "\\$&").replace(/[\x00-\x1f\x7f]/g, toOctal)}"`;
}
