/** Calls `create` when its result is first needed. Intl objects take milliseconds to make: none is made before the first paint. */
export function once<Result extends object>(create: () => Result): () => Result {
  let result: Result | undefined;
  return () => {
    result ??= create();
    return result;
  };
}
