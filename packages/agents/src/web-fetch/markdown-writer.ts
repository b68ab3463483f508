/** Puts Markdown together: white space between words collapses, and breaks between blocks never add up. */
export class MarkdownWriter {
  readonly #out: string[] = [];
  #breaks = 0;
  #needsSpace = false;

  /** The next text begins at least so many line ends further down. */
  break(lines: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, lines);
    this.#needsSpace = false;
  }

  text(text: string): void {
    const words = text.replace(/[\s\u00a0]+/g, " ");
    if (words === "" || words === " ") {
      this.#needsSpace ||= words === " " && this.#breaks === 0 && this.#out.length > 0;
      return;
    }
    const lead = words.startsWith(" ") && this.#breaks === 0 && this.#out.length > 0 ? " " : "";
    this.raw((lead || (this.#needsSpace && this.#breaks === 0) ? " " : "") + words.trim());
    this.#needsSpace = words.endsWith(" ");
  }

  /** As it is. */
  raw(text: string): void {
    if (this.#out.length > 0 && this.#breaks > 0) this.#out.push("\n".repeat(this.#breaks));
    this.#breaks = 0;
    this.#needsSpace = false;
    this.#out.push(text);
  }

  /** For `wrap`. */
  mark(): number {
    return this.#out.length;
  }

  /** Rewrites what came since the mark, but for the white space around it. */
  wrap(mark: number, write: (inner: string) => string): void {
    const all = this.#out.splice(mark).join("");
    const inner = all.trim();
    if (inner === "") this.#out.push(all);
    else this.#out.push(all.slice(0, all.length - all.trimStart().length), write(inner), all.slice(all.trimEnd().length));
  }

  toString(): string {
    return this.#out.join("").trim();
  }
}
