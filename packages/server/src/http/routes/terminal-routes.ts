import {
  attemptIdSchema,
  devServerSchema,
  terminalIdSchema,
  terminalInputSchema,
  terminalListSchema,
  terminalSchema,
  terminalSizeSchema,
} from "@skein/contracts";
import { z } from "zod";
import { emptyRoute, jsonRoute, type Route, rawRoute } from "../route.ts";

const ofAttempt = z.object({ id: attemptIdSchema });
const ofTerminal = ofAttempt.extend({ terminal: terminalIdSchema });
const path = "/api/attempts/:id/terminals";
/** A shell can do everything that the server's user can: a token needs the highest right, and agents never get it. */
const rights = { access: { project: "member" }, scope: "admin" } as const;

/** Terminals of attempts, and their dev servers. */
export const terminalRoutes: readonly Route[] = [
  jsonRoute({
    ...{ method: "GET", path, ...rights },
    summary: "List the terminals of an attempt",
    params: ofAttempt,
    response: terminalListSchema,
    handle: ({ services, params }) => services.terminals.list(params.id),
  }),
  jsonRoute({
    ...{ method: "POST", path, ...rights, status: 201 },
    summary: "Open a terminal in the folder of an attempt: the user's login shell. It keeps running until it is closed",
    params: ofAttempt,
    body: terminalSizeSchema,
    response: terminalSchema,
    async handle({ services, params, body, refuseAgents }) {
      await refuseAgents();
      return services.terminals.open(params.id, body);
    },
  }),
  rawRoute({
    ...{ method: "GET", path: `${path}/:terminal/output`, ...rights },
    summary:
      "Read the output of a terminal or of a dev server from an offset, as lines of JSON (`TerminalOutput`). Ends after half a minute; repeat it from the end of what was received",
    params: ofTerminal,
    query: z.object({ from: z.coerce.number().int().min(0).default(0) }),
    mediaTypes: ["application/x-ndjson"],
    async handle({ services, params, query, signal, stream, refuseAgents }) {
      await refuseAgents();
      const pieces = services.terminals.readOutput(params.id, params.terminal, { from: query.from, signal });
      return stream(pieces, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
    },
  }),
  emptyRoute({
    ...{ method: "POST", path: `${path}/:terminal/input`, ...rights, auditsItself: true },
    summary: "Type into a terminal. What is sent is not repeated if its answer is lost",
    params: ofTerminal,
    body: terminalInputSchema,
    async handle({ services, params, body, refuseAgents }) {
      await refuseAgents();
      await services.terminals.write(params.id, params.terminal, body.data);
    },
  }),
  emptyRoute({
    ...{ method: "POST", path: `${path}/:terminal/size`, ...rights, auditsItself: true },
    summary: "Change the size of a terminal",
    params: ofTerminal,
    body: terminalSizeSchema,
    async handle({ services, params, body, refuseAgents }) {
      await refuseAgents();
      await services.terminals.resize(params.id, params.terminal, body);
    },
  }),
  emptyRoute({
    ...{ method: "DELETE", path: `${path}/:terminal`, ...rights },
    summary: "Close a terminal, with everything that was started in it",
    params: ofTerminal,
    async handle({ services, params, refuseAgents }) {
      await refuseAgents();
      await services.terminals.close(params.id, params.terminal);
    },
  }),
  jsonRoute({
    ...{ method: "GET", path: "/api/attempts/:id/dev", ...rights },
    summary: "Get the state of an attempt's dev server",
    params: ofAttempt,
    response: devServerSchema,
    handle: ({ services, params }) => services.terminals.findDev(params.id),
  }),
  jsonRoute({
    ...{ method: "POST", path: "/api/attempts/:id/dev", ...rights },
    summary: "Start the dev server of an attempt, or start it again: the project's trusted `dev` script, with `$SKEIN_PORT`",
    params: ofAttempt,
    response: devServerSchema,
    async handle({ services, params, refuseAgents }) {
      await refuseAgents();
      return services.terminals.startDev(params.id);
    },
  }),
  jsonRoute({
    ...{ method: "POST", path: "/api/attempts/:id/dev/stop", ...rights },
    summary: "Stop the dev server of an attempt",
    params: ofAttempt,
    response: devServerSchema,
    async handle({ services, params, refuseAgents }) {
      await refuseAgents();
      return services.terminals.stopDev(params.id);
    },
  }),
];
