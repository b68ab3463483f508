/** The branches that contain what was typed, those that begin with it first. Other text may name a commit or a tag: it is offered last. */
export function matchBranches(branches: readonly string[], typed: string, limit: number): { name: string; isListed: boolean }[] {
  const text = typed.trim();
  const lower = text.toLowerCase();
  const found = branches.filter((name) => name.toLowerCase().includes(lower));
  const first = found.filter((name) => name.toLowerCase().startsWith(lower));
  const ranked = [...first, ...found.filter((name) => !first.includes(name))].slice(0, limit);
  const listed = ranked.map((name) => ({ name, isListed: true }));
  return text === "" || branches.includes(text) ? listed : [...listed, { name: text, isListed: false }];
}
