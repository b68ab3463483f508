/** A page that cannot be had; the message is for the model. */
export class FetchError extends Error {
  override readonly name = "FetchError";
}
