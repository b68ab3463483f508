/** The shape of English texts, for the other languages: the same keys and parameters. */
export type Texts<T> = {
  [K in keyof T]: T[K] extends string ? string : T[K] extends (...args: infer A) => string ? (...args: A) => string : Texts<T[K]>;
};
