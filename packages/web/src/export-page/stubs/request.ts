/** An exported page sends no requests. */
export async function request(path: string): Promise<never> {
  throw new Error(`An exported page does not request ${path}.`);
}

export const readAnswer = request;
export const sendRequest = request;
