import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Focus guards around an open menu or dialog: they forward the focus at once. */
const focusGuards = 'span[data-base-ui-focus-guard][aria-hidden="true"]';

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const options = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
  // passed and incomplete results are not read, and describing them takes as long as finding them
  resultTypes: ["violations"],
  preload: false,
};

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** WCAG 2.1 A and AA, as far as it can be checked automatically. */
export async function expectAccessible(page: Page): Promise<void> {
  // In the page itself: `@axe-core/playwright` opens a second page for each report, which costs more than the check.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const run = `axe.run({ exclude: [[${JSON.stringify(focusGuards)}]] }, ${JSON.stringify(options)})`;
  const violations = await page.evaluate<Violation[]>(
    `${run}.then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  );
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

/** Nothing overflows horizontally. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBeLessThanOrEqual(0);
}
