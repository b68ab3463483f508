import { describe, expect, it } from "vitest";
import { routeTable } from "../routes/route-table.ts";
import { findSubject, placeOf } from "./route-places.ts";

describe("[W2] the server that answers a route", () => {
  it("is decided for every route that names a project, task, attempt or execution", () => {
    const anywhere = routeTable.filter((route) => /:id/.test(route.path) && placeOf(route) === "anywhere");
    // everything that these need is in the database, or in the data dir of the server that receives the request
    expect(anywhere.map(({ method, path }) => `${method} ${path}`).sort()).toMatchInlineSnapshot(`
      [
        "DELETE /api/agents/:id",
        "DELETE /api/attempts/:id/queue",
        "DELETE /api/comments/:id",
        "DELETE /api/incoming-hooks/:id",
        "DELETE /api/invitations/:id",
        "DELETE /api/jobs/:id",
        "DELETE /api/me/sessions/:id",
        "DELETE /api/me/tokens/:id",
        "DELETE /api/nodes/:id",
        "DELETE /api/permission-rules/:id",
        "DELETE /api/projects/:id/keys/:name",
        "DELETE /api/projects/:id/members/:userId",
        "DELETE /api/quarantine/:id",
        "DELETE /api/queue/:id",
        "DELETE /api/schedules/:id",
        "DELETE /api/templates/:id",
        "DELETE /api/tokens/:id",
        "DELETE /api/users/:id/sessions",
        "DELETE /api/workers/:id",
        "GET /api/attempts/:id",
        "GET /api/attempts/:id/compression",
        "GET /api/attempts/:id/executions",
        "GET /api/attempts/:id/messages",
        "GET /api/incoming-hooks/:id",
        "GET /api/incoming-hooks/:id/runs",
        "GET /api/projects/:id",
        "GET /api/projects/:id/keys",
        "GET /api/projects/:id/member-candidates",
        "GET /api/projects/:id/members",
        "GET /api/projects/:id/permission-rules",
        "GET /api/schedules/:id",
        "GET /api/schedules/:id/runs",
        "GET /api/tasks/:id",
        "GET /api/tasks/:id/attempts",
        "GET /api/tasks/:id/budget",
        "GET /api/tasks/:id/queue",
        "GET /api/templates/:id",
        "GET /api/users/:id/sessions",
        "PATCH /api/agents/:id",
        "PATCH /api/attempts/:id",
        "PATCH /api/comments/:id",
        "PATCH /api/executions/:id/parked",
        "PATCH /api/inbox/:id",
        "PATCH /api/incoming-hooks/:id",
        "PATCH /api/nodes/:id",
        "PATCH /api/projects/:id",
        "PATCH /api/queue/:id",
        "PATCH /api/schedules/:id",
        "PATCH /api/tasks/:id",
        "PATCH /api/templates/:id",
        "PATCH /api/users/:id",
        "PATCH /api/workers/:id",
        "POST /api/approvals/:id",
        "POST /api/attempts/:id/activate",
        "POST /api/attempts/:id/check",
        "POST /api/attempts/:id/check/stop",
        "POST /api/attempts/:id/undo-compression",
        "POST /api/executions/:id/budget-answer",
        "POST /api/executions/:id/continue-with",
        "POST /api/executions/:id/move",
        "POST /api/executions/:id/resume",
        "POST /api/executions/:id/start-now",
        "POST /api/hooks/:id",
        "POST /api/incoming-hooks/:id/rotate",
        "POST /api/projects/:id/invitations",
        "POST /api/quarantine/:id/recover",
        "POST /api/quarantine/:id/stop",
        "POST /api/queue/:id/move",
        "POST /api/schedules/:id/run",
        "PUT /api/attempts/:id/viewed",
        "PUT /api/projects/:id/keys/:name",
        "PUT /api/projects/:id/members/:userId",
        "PUT /api/tasks/:id/budget",
      ]
    `);
  });

  it("is found by the most exact id of the request", () => {
    const [params, query] = [{ id: "tsk_1" }, { attemptId: "att_1" }];
    expect(findSubject({ params, query, body: undefined })).toBe("att_1");
    expect(findSubject({ params, query: {}, body: { message: "Go" } })).toBe("tsk_1");
    expect(findSubject({ params: undefined, query: undefined, body: { task: { projectId: "prj_1" } } })).toBe("prj_1");
    expect(findSubject({ params: undefined, query: undefined, body: { task: { id: "tsk_1" } } })).toBe("tsk_1");
    expect(findSubject({ params: undefined, query: undefined, body: [] })).toBeUndefined();
  });
});
