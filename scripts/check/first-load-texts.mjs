import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isUsedText, listTexts } from "./list-texts.mjs";

/** What a browser loads before it shows the board. */
const entries = ["main.tsx", "board/board-page.tsx"];

/** All that `src/i18n` may add to it: one dictionary per language, and how texts are chosen and formatted. */
const allowed = new Set(["en.ts", "en-faults.ts", "format.ts", "locale.tsx", "locales.ts", "once.ts", "plural.ts"]);

/** Words that any page may use: “Save”, “Copied”. */
const common = "app.";

const valueImport = /^(?:import|export)\s+(?!type\s)([^;"]*?\sfrom\s+)?"(\.[^"]+)"/gm;
const onlyTypes = (names) => /^\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}\s+from\s+$/.test(names ?? "");

/**
 * Texts that every page loads first although only others show them, one sentence each. Features grow, and the first load must not:
 * their texts are loaded with their own code (`createTexts`, `createPageTexts`).
 */
export async function findFirstLoadTexts(root) {
  const folder = path.join(root, "packages/web/src");
  const { en } = await import(path.join(folder, "i18n/en.ts"));
  return explainFirstLoad({ files: readFirstLoad(folder), dictionary: en });
}

/** Pure, for tests. `files`: content by path in `src`. */
export function explainFirstLoad({ files, dictionary }) {
  const texts = [...files.keys()].filter((file) => file.startsWith("i18n/"));
  const code = [...files].filter(([file]) => !file.startsWith("i18n/")).map(([, content]) => content);
  return [
    ...texts
      .filter((file) => !allowed.has(file.slice("i18n/".length)))
      .map((file) => `${file} is part of the first load: import it from a lazy part, with createTexts.`),
    ...listTexts(dictionary)
      .filter(({ name }) => !name.startsWith(common))
      .filter((text) => !isUsedText(text, code))
      .map(({ name }) => `${name} in i18n/en.ts is not used by the first load: move it to the texts of the page that shows it.`),
  ];
}

/** The entries with everything that they import statically. */
function readFirstLoad(folder) {
  const files = new Map();
  const pending = [...entries];
  for (const file of pending) {
    if (files.has(file)) continue;
    const content = readFileSync(path.join(folder, file), "utf8");
    files.set(file, content);
    for (const [, names, specifier] of content.matchAll(valueImport)) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      if (!onlyTypes(names) && /\.tsx?$/.test(target) && existsSync(path.join(folder, target))) pending.push(target);
    }
  }
  return files;
}
