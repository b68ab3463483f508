/** Options of every model that is reached by a vendor's SDK. */
export interface ModelOptions {
  /** The model's name at the endpoint. */
  model: string;
  apiKey: string;
  /** The vendor's own endpoint if undefined. */
  baseUrl?: string | undefined;
  /** In tokens; that of the known model if undefined. */
  contextWindow?: number | undefined;
  idleTimeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}
