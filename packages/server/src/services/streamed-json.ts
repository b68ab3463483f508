/** JSON that is generated while it is sent, because it may not fit into memory. */
export class StreamedJson {
  readonly pieces: AsyncGenerator<string, void>;

  constructor(pieces: AsyncGenerator<string, void>) {
    this.pieces = pieces;
  }
}

/** The values of all slices as one JSON array. `write` is `JSON.stringify` unless the array is to be indented. */
export async function* writeJsonArray<T>(
  slices: AsyncIterable<readonly T[]>,
  { write = JSON.stringify, begin = "[", between = ",", end = "]" }: Partial<JsonArrayFormat<T>> = {},
): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield (isFirst ? begin : between) + slice.map(write).join(between);
    isFirst = false;
  }
  yield isFirst ? "[]" : end;
}

interface JsonArrayFormat<T> {
  write(value: T): string;
  begin: string;
  between: string;
  end: string;
}
