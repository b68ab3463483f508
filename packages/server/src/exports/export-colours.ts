/** What exported pages need to colour code: made by the build of the web UI, read by the page. */
export interface ExportColours {
  /** Words in a text that stand for a language: extensions and names of files, names after ```. */
  words: Readonly<Record<string, string>>;
  /** Packed grammars, by language. */
  grammars: Readonly<Record<string, string>>;
}

/** A page without colours, if the build has none. */
export const noColours: ExportColours = { words: {}, grammars: {} };

/** Larger grammars would make the page more than this longer, in characters. The languages that occur first get theirs. */
const maxLength = 1_000_000;

/** Finds the languages that may occur in JSON texts: of paths and of blocks of code. Rather one too many than one that has no colours. */
export function createLanguageFinder({ words, grammars }: ExportColours): { search(json: string): void; found(): string[] } {
  const names = Object.keys(words).filter((word) => Object.hasOwn(grammars, words[word] ?? ""));
  const found = new Set<string>();
  let length = 0;
  // longer names first: “tsx” begins with “ts”
  const choices = names.toSorted((a, b) => b.length - a.length).map((word) => word.replace(/[^\w]/g, "\\$&"));
  const pattern = new RegExp(`(?:\\.|/|"|\`\`\`)(${choices.join("|")})(?![\\w+])`, "gi");
  return {
    search(json) {
      if (names.length === 0 || found.size === Object.keys(grammars).length) return;
      for (const [, word = ""] of json.matchAll(pattern)) {
        const language = words[word.toLowerCase()];
        if (language === undefined || found.has(language)) continue;
        const more = grammars[language]?.length ?? 0;
        if (length + more > maxLength) continue;
        length += more;
        found.add(language);
      }
    },
    found: () => [...found].sort(),
  };
}
