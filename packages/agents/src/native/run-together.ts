/** Runs at most `limit` at once; results are in the order of the items. The first failure is thrown after all have ended. */
export async function runTogether<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) [results[index]] = await Promise.allSettled([run(item)]);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
