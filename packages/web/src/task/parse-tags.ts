/** Tags as typed: separated by commas, each once, at most as many and as long as the server takes. */
export function parseTags(text: string): string[] {
  const tags = text.split(/[,，]/).map((tag) => tag.trim().slice(0, 100));
  return [...new Set(tags.filter(Boolean))].slice(0, 50);
}
