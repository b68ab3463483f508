import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isPassedOn, isUsedText, listTexts } from "./list-texts.mjs";

/** Texts of the web UI that no code shows, one sentence each. */
export async function findUnusedTexts(root) {
  const folder = path.join(root, "packages/web/src");
  const files = readdirSync(folder, { recursive: true }).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  const isDictionary = (file) => /^i18n.(en|zh-cn)\b/.test(file);
  const code = files.filter((file) => !isDictionary(file)).map((file) => readFileSync(path.join(folder, file), "utf8"));
  const problems = [];
  for (const file of files.filter((name) => /^i18n.en\b/.test(name))) {
    for (const dictionary of Object.values(await import(path.join(folder, file)))) {
      if (typeof dictionary === "object") problems.push(...explainUnused({ file, dictionary, code }));
    }
  }
  return problems;
}

/** Pure, for tests. `code`: what may show the texts. */
export function explainUnused({ file, dictionary, code }) {
  return listTexts(dictionary)
    .filter((text) => !isUsedText(text, code) && !isPassedOn(text, code))
    .map(({ name }) => `${name} in ${file} is not used: delete it, in every language.`);
}
