const maxTerms = 16;
const maxTermLength = 100;

/** The words of a query. There is no query language: quotes, stars and operators are ordinary characters. */
export function toSearchTerms(text: string): string[] {
  return text
    .split(/[\s\p{Cc}]+/u)
    .filter((term) => term !== "")
    .slice(0, maxTerms)
    .map((term) => term.slice(0, maxTermLength).toWellFormed());
}
