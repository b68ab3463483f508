import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import parsePrometheus from "parse-prometheus-text-format";
import { describe, expect, test } from "vitest";
import { createTestDatabases, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { startNodes } from "./support/nodes.ts";
import { startOtlpCollector } from "./support/otlp-collector.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { startRealWorker } from "./support/real-worker.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const wait = { timeout: 60_000, interval: 200 };
const secret = "do-not-send-this-text";

async function runTask(server: Pick<RealServer, "api">, attempt: Record<string, unknown> = {}, message = "Work") {
  const model = newScriptedModel([{ text: secret, toolCalls: [bash(`echo ${secret}`), bash("exit 3")] }, { text: "Done." }]);
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id);
  const created = await server.api.createAttempt(task.id, { model, permissionMode: "full", ...attempt });
  const { executionId } = await server.api.send(task.id, message);
  await expect.poll(async () => (await server.api.executions(created.id))[0]?.status, wait).toBe("success");
  return { project, task, attempt: created, executionId, model };
}

const readMetrics = async ({ url, home }: Pick<RealServer, "url" | "home">, headers?: Record<string, string>) => {
  const authorization = `Bearer ${readFileSync(join(home, "token"), "utf8").trim()}`;
  const response = await fetch(new URL("/metrics", url), { headers: headers ?? { authorization } });
  return { response, text: await response.text() };
};

describe("traces", () => {
  test.each(["http/protobuf", "http/json"])("[M4] an execution is a trace of agent, model calls and tools, over %s", async (protocol) => {
    const collector = await startOtlpCollector();
    const server = await startRealServer({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
        OTEL_SERVICE_NAME: "skein-test",
      },
    });
    const { project, task, attempt, executionId, model } = await runTask(server);
    await expect.poll(() => collector.spans.length, wait).toBe(5);
    expect(collector.problems).toEqual([]);
    expect(collector.requests[0]).toMatchObject({ path: "/v1/traces", headers: { "x-key": "a b", "content-encoding": "gzip" } });
    expect(collector.resource).toMatchObject({
      "service.name": "skein-test",
      "deployment.environment.name": "test",
      "service.version": expect.any(String),
      "service.instance.id": expect.any(String),
    });
    const [agent, ...children] = collector.spans;
    expect(agent).toMatchObject({ name: "invoke_agent native", kind: "SPAN_KIND_INTERNAL", parentSpanId: "" });
    expect(agent?.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "native",
      "gen_ai.request.model": model,
      "skein.project.id": project.id,
      "skein.task.id": task.id,
      "skein.attempt.id": attempt.id,
      "skein.execution.id": executionId,
      "skein.execution.status": "success",
    });
    expect(new Set(children.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([agent?.spanId]));
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(children.map(({ name }) => name).sort()).toEqual(
      [`chat ${model}`, `chat ${model}`, "execute_tool bash", "execute_tool bash"].sort(),
    );
    const tools = children.filter(({ name }) => name === "execute_tool bash");
    expect(tools.map(({ status, attributes }) => [status.code, attributes["error.type"]])).toEqual([
      ["STATUS_CODE_UNSET", undefined],
      ["STATUS_CODE_ERROR", "failed"],
    ]);
    const calls = children.filter(({ kind }) => kind === "SPAN_KIND_CLIENT");
    expect(calls.map(({ attributes }) => attributes["gen_ai.operation.name"])).toEqual(["chat", "chat"]);
    for (const { startTimeUnixNano, endTimeUnixNano } of children) {
      expect(startTimeUnixNano).toBeGreaterThanOrEqual(agent?.startTimeUnixNano ?? 0n);
      expect(endTimeUnixNano).toBeLessThanOrEqual(agent?.endTimeUnixNano ?? 0n);
    }
    // names and figures only
    expect(JSON.stringify(collector.spans, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain(secret);
  });

  test("[M4] a collector that is busy gets the spans later, once; one that refuses them or is away costs only the spans", async () => {
    const collector = await startOtlpCollector([503, 429]);
    const server = await startRealServer({ environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path` } });
    await runTask(server);
    await expect.poll(() => collector.spans.length, wait).toBe(5);
    expect(collector.requests.map(({ path }) => path)).toEqual(["/own/path", "/own/path", "/own/path"]);
    const refusing = await startOtlpCollector([400]);
    const other = await startRealServer({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url } });
    await runTask(other);
    await expect.poll(() => refusing.requests.length, wait).toBe(1);
    await expect.poll(() => readFileSync(join(other.home, "logs", "server.log"), "utf8"), wait).toContain("spans could not be sent");
    expect(refusing.spans).toEqual([]);
  });

  test("[M4] an execution that a killed server left running is traced whole, once, when the next one ends it", async () => {
    const collector = await startOtlpCollector();
    const server = await startRealServer({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    const gate = join(newFolder("gate"), "open");
    const model = newScriptedModel([{ toolCalls: [bash(`until [ -e ${gate} ]; do sleep 0.05; done`)] }, { text: "Done." }]);
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
    const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "full" });
    await server.api.send(task.id, "Work");
    await expect.poll(async () => JSON.stringify((await server.api.conversation(task.id)).messages), wait).toContain("running");
    await server.kill();
    await server.start();
    writeFileSync(gate, "");
    await expect.poll(async () => (await server.api.executions(attempt.id))[0]?.status, wait).toBe("success");
    await expect
      .poll(() => collector.spans.map(({ name }) => name.split(" ")[0]), wait)
      .toEqual(["invoke_agent", "chat", "execute_tool", "chat"]);
    expect(collector.problems).toEqual([]);
  });

  test("[M4] an execution on a worker is traced by the server, which knows its host", { timeout: 240_000 }, async () => {
    const collector = await startOtlpCollector();
    const server = await startRealServer({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    const worker = await startRealWorker(server, { args: ["--tag", "linux"] });
    await runTask(server, { host: "linux" });
    await expect.poll(() => collector.spans.length, wait).toBe(5);
    expect(collector.spans[0]?.attributes["skein.host.id"]).toBe(worker.id);
  });
});

describe("metrics", () => {
  const databases = createTestDatabases();

  test("[M4] both are off by default; metrics need a credential", async () => {
    const off = await startRealServer();
    expect((await readMetrics(off)).response.status).toBe(404);
    const on = await startRealServer({ environment: { SKEIN_METRICS: "1" } });
    expect((await readMetrics(on, {})).response.status).toBe(401);
    expect((await readMetrics(on, { authorization: "Bearer wrong" })).response.status).toBe(401);
  });

  test("[M4] Prometheus' text format with what happened, read by a parser that is not ours", async () => {
    const server = await startRealServer({ environment: { SKEIN_METRICS: "1" } });
    await runTask(server);
    const stream = await fetch(new URL("/api/events", server.url), { headers: server.api.headers });
    const { response, text } = await readMetrics(server);
    await stream.body?.cancel();
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const families = new Map(parsePrometheus(text).map((family) => [family.name, family]));
    const value = (name: string, labels: Record<string, string> = {}) => {
      const found = families.get(name)?.metrics.find((one) => JSON.stringify(one.labels ?? {}) === JSON.stringify(labels));
      return found === undefined || !("value" in found) ? undefined : Number(found.value);
    };
    expect(value("skein_executions_total", { agent: "native", status: "success" })).toBe(1);
    expect(value("skein_executions_waiting")).toBe(0);
    expect(value("skein_queued_messages")).toBe(0);
    expect(value("skein_event_clients")).toBe(1);
    expect(value("skein_database_bytes")).toBeGreaterThan(10_000);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(value("process_open_fds")).toBeGreaterThan(5);
    expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
    // the parser leaves the labels of histograms out
    expect(families.get("skein_execution_duration_seconds")).toMatchObject({
      type: "HISTOGRAM",
      metrics: [{ buckets: { "+Inf": "1", "10800": "1" } }],
    });
    expect(text).toContain('skein_execution_duration_seconds_count{agent="native"} 1');
    expect(families.get("skein_ingestion_lag_seconds")?.type).toBe("HISTOGRAM");
    // every line belongs to a family that was declared once
    const declared = text.match(/^# TYPE \S+/gm) ?? [];
    expect(new Set(declared).size).toBe(declared.length);
  });

  test.skipIf(testServerUrl === undefined)("[M4] each of several servers counts what it ended itself", { timeout: 240_000 }, async () => {
    const [a, b] = (await startNodes(["a", "b"], { databaseUrl: await databases.create(), environment: { SKEIN_METRICS: "1" } })) as [
      RealServer,
      RealServer,
    ];
    await runTask(a);
    const count = async (server: RealServer) =>
      Number(/skein_executions_total\{.*\} (\d+)/.exec((await readMetrics(server)).text)?.[1] ?? 0);
    expect([await count(a), await count(b)].sort()).toEqual([0, 1]);
  });
});
