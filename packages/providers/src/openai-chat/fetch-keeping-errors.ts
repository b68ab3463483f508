/**
 * OpenAI's SDK reads `{ error: { message } }` and drops all other bodies. Mistral returns `{ message }`, FastAPI servers `{ detail }`,
 * Ollama `{ error: "…" }`: without them, a request that is too long could not be recognised.
 */
export async function fetchKeepingErrors(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok) return response;
  const body = toOpenAIError(await response.text());
  const headers = new Headers(response.headers);
  // These headers describe the original body.
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

export function toOpenAIError(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof body !== "object" || body === null) return text;
  const fields = body as Record<string, unknown>;
  if (typeof fields.error === "object" && fields.error !== null) return text;
  const said = fields.error ?? fields.message ?? fields.detail;
  if (said === undefined) return JSON.stringify({ error: { message: text } });
  const message = typeof said === "string" ? said : JSON.stringify(said);
  return JSON.stringify({ error: { message, type: fields.type, code: fields.code } });
}
