/** The rows of the table of provider rules, and `shape` for a body that is not a request of that API. */
export type Rule =
  | "shape"
  | `A${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13}`
  | `C${1 | 2 | 3 | 4}`
  | `S${1 | 2 | 3}`
  | `G${1 | 2 | 3 | 4 | 5}`
  | "M1";

/** One reason why a provider answers 400: `message` is the provider's own text, `code` its machine-readable code where it sends one. */
export interface Violation {
  rule: Rule;
  path: string;
  message: string;
  code?: string;
}
