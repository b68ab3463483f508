function page(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>\n`;
}

export const spentCodePage: string = page("This link no longer works", [
  "A launch link signs one browser in, once, within ten minutes.",
  "Run <code>npm start</code> or <code>skein open</code> again to get a new one.",
]);

export const notBuiltPage: string = page("The web UI is not built", [
  "This Skein server answers at <code>/api</code>, but has no web UI to show.",
  "In the repository, <code>npm start</code> builds it; <code>npm run build -w @skein/web</code> does only that.",
]);
