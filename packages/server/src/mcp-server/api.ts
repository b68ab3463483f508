import { type Problem, problemSchema } from "@skein/contracts";
import type { z } from "zod";

/** Sends a request to the HTTP API of a server, with the credentials of whoever uses the tools. */
export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** The HTTP API, as tools use it: they can do what their token allows, checked by the same routes as everything else. */
export interface Api {
  get<Schema extends z.ZodType>(path: string, schema: Schema, signal: AbortSignal): Promise<z.output<Schema>>;
  post<Schema extends z.ZodType>(path: string, body: unknown, schema: Schema, signal: AbortSignal): Promise<z.output<Schema>>;
  /** The response itself, for streams. Rejects with `ApiProblem` like the others. */
  open(path: string, signal: AbortSignal): Promise<Response>;
}

/** The server has rejected a request; its text contains the remedy. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.command === undefined ? problem.detail : `${problem.detail} Run: ${problem.command}`);
    this.problem = problem;
  }
}

export function createApi(send: SendRequest): Api {
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await send(path, init);
    if (response.ok) return response;
    const sent: unknown = await response.json().catch(() => undefined);
    const problem = problemSchema.safeParse(sent);
    throw problem.success ? new ApiProblem(problem.data) : new Error(`The Skein server answered ${response.status}.`);
  };
  return {
    get: async (path, schema, signal) => schema.parse(await (await request(path, { signal })).json()),
    async post(path, body, schema, signal) {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
      return schema.parse(await (await request(path, init)).json());
    },
    open: (path, signal) => request(path, { signal }),
  };
}

/** `?a=1&b=2` of the values that are set. */
export function toQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}
