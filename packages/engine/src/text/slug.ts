/** Converts a title for branch and folder names: letters and digits of any script, joined by hyphens, at most 40 code points. */
export function toSlug(title: string): string {
  const words =
    title
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...words.join("-")].slice(0, 40).join("").replace(/-+$/, "") || "task";
}
