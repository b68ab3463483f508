/** A link from a forge, if it leads to a page: it is shown to the user. */
export function toWebUrl(url: string | null | undefined): string | null {
  return url !== null && url !== undefined && /^https?:\/\//i.test(url) ? url : null;
}
