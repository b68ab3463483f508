import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Around an open menu or dialog: they pass a focus that reaches them on at once, and nobody can rest on them. */
const focusGuards = 'span[data-base-ui-focus-guard][aria-hidden="true"]';

/** WCAG 2.1 A and AA, as far as a program can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  const axe = new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]).exclude(focusGuards);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

/** Nothing sticks out to the side. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBeLessThanOrEqual(0);
}
