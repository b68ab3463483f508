import { findKnownModel, knownModels } from "./known-models.ts";

const shareOfPrice = 1 / 3;

/** The newest model of the same provider that costs at most a third; undefined if there is none, or if the price is unknown. */
export function findCheaperModel(modelId: string): string | undefined {
  const own = findKnownModel(modelId);
  if (own === undefined) return undefined;
  const provider = own.id.slice(0, own.id.indexOf("/") + 1);
  const cheaper = knownModels.find(({ id, price }) => id.startsWith(provider) && price.output <= own.price.output * shareOfPrice);
  return cheaper && modelId.slice(0, modelId.indexOf("/") + 1) + cheaper.id.slice(provider.length);
}
