/** A text that once blocked, or could block, code that parses, measures or draws it. */
export interface HostileText {
  name: string;
  text: string;
}

const zeroWidthJoiner = "\u200d";

/**
 * Grows with `size`; at size 1 the texts are as long as in the reports of attacks (6 kB to 1 MB). Timing tests compare
 * sizes 1 and 2, browser tests draw size 1.
 */
export function buildHostileTexts(size = 1): HostileText[] {
  const times = (text: string, count: number): string => text.repeat(Math.round(count * size));
  const texts: Record<string, string> = {
    "nested quotes": `${times("> ", 3000)}deep`,
    "nested lists": `${times("- ", 3000)}deep`,
    "numbered lists": `${times("1. ", 3000)}deep`,
    "quotes and lists": `${times("> - 1. ", 1000)}deep`,
    "indented lists": Array.from({ length: Math.round(500 * size) }, (_, depth) => `${"  ".repeat(depth)}- deep`).join("\n"),
    "open emphasis": times("*a ", 5000),
    "mixed emphasis": times("*a_ ", 5000),
    "nested emphasis": `${times("*a **a ", 2500)}b${times(" a** a*", 2500)}`,
    "strike-through": times("~a ", 5000),
    "open brackets": times("[", 10_000),
    "open brackets on lines": times("[\n", 10_000),
    "open images": times("![", 10_000),
    "nested links": `${times("[", 2000)}a${times("](u)", 2000)}`,
    "open link targets": times("[a](<b", 5000),
    "open link texts": times("[a](b", 5000),
    "link definitions": `${times("[a]: u\n", 3000)}\n${times("[a]", 3000)}`,
    footnotes: `${times("[^a] ", 3000)}\n\n[^a]: ${times("[^a]", 1000)}`,
    "backtick runs": Array.from({ length: Math.round(600 * size) }, (_, length) => "`".repeat(length + 1)).join(" "),
    entities: times("&#x41;&amp;&", 5000),
    "HTML-looking tags": `${times("<div><b ", 5000)}`,
    "nested HTML": `${times("<div>", 5000)}text${times("</div>", 5000)}`,
    comments: times("<!-- a -", 5000),
    autolinks: times("https://example.com/a ", 10_000),
    "mail addresses": times("a.b@c.example ", 5000),
    "almost mail addresses": times("a.b-c_", 20_000),
    "almost links": times("www.", 10_000),
    "links in brackets": times("[a](https://example.com) ", 10_000),
    "wide table": `${times("| a ", 1000)}|\n${times("| - ", 1000)}|\n${`${times("| b ", 1000)}|\n`.repeat(20)}`,
    "long table": `| a | b |\n| - | - |\n${times("| 1 | 2 |\n", 10_000)}`,
    "almost table": times("| a ", 20_000),
    "long fence": `\`\`\`${times("language", 500)}\n${times("const a = 1 + 2;\n", 5000)}\`\`\``,
    mermaid: `\`\`\`mermaid\ngraph TD\n${times("A-->B\n", 5000)}\`\`\``,
    "many fences": times("```\na\n```\n", 2000),
    headings: times("# a\n", 10_000),
    rules: times("---\n", 10_000),
    "setext lines": times("a\n=\n", 5000),
    "combining marks": `a${times("\u0301", 200_000)} end`,
    "many marked letters": times(`a${"\u0301\u0323\u0330".repeat(30)} `, 500),
    "emoji chain": `${times(`\u{1f469}${zeroWidthJoiner}`, 20_000)}\u{1f469} end`,
    "right-to-left flood": `${times("\u202e\u2067\u05d0\u2066", 20_000)} end`,
    "one line": times("x", 1_000_000),
    "many words": times("word ", 200_000),
    "many lines": times("a line\n", 100_000),
    "blank lines": `start${times("\n", 100_000)}end`,
    spaces: `start${times(" ", 200_000)}end`,
    tabs: times("\t", 50_000),
    "colour changes": times("\u001b[31ma\u001b[32mb", 50_000),
    "colour parameters": `\u001b[${times("38;", 50_000)}m text`,
    "open escape sequences": times("\u001b]0;", 50_000),
    "carriage returns": times("10%\r", 50_000),
    "deep JSON": `${times("[", 10_000)}${times("]", 10_000)}`,
    "open JSON": times('{"a":', 10_000),
    backslashes: times("\\", 50_000),
    quotes: times("\"'", 50_000),
    dashes: times("-", 50_000),
  };
  return Object.entries(texts).map(([name, text]) => ({ name, text }));
}
