function page(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>\n`;
}

export const notBuiltPage: string = page("The web UI is not built", [
  "This Skein server answers at <code>/api</code>, but has no web UI to show.",
  "In the repository, <code>npm start</code> builds it; <code>npm run build -w @skein/web</code> does only that.",
]);

export const tooManyCookiesPage: string = page("Your browser sends too many cookies", [
  "Browsers share the cookies of this address between all programs that answer at it, on any port. Together they have become too large for a request.",
  "Delete the cookies of this address in your browser's settings, then run <code>npm start</code> or <code>skein open</code> for a new link.",
]);
