/** An exported page sends no requests. */
export async function request(path: string): Promise<never> {
  throw new Error(`An exported page does not request ${path}.`);
}

export function readAnswer(_: unknown, { source }: { source: string }): Promise<never> {
  return request(source);
}

export async function sendRequest(path: string): Promise<never> {
  return request(path);
}
