import { quantile } from "../agents/delay-listener.mjs";
import { measureCost } from "./cpu-time.mjs";
import { createSizedServer } from "./sized-server.mjs";

/** Of one project, with about five messages each: 1,000 and 10,000 tasks and some more. */
const defaults = { messages: [5_000, 50_000], rounds: 15, warmUps: 3 };
const form = { messagesPerTask: 4, projectCount: 1, probes: 0 };
const route = (content, limit) => `/api/tasks?projectId=${content.projects[0]}&descriptions=short&activity=short&limit=${limit}`;

/** A board with ten times the tasks: the same work, in the server's processor time, and what is sent for a task. */
export async function measureBoard({ messages, rounds, warmUps } = defaults) {
  const servers = [];
  try {
    for (const size of messages) servers.push(await createSizedServer(size, form));
    for (const server of servers) await server.start();
    const works = {
      first: ({ request, content }) => request("GET", route(content, 200)),
      create: ({ request, content }) => request("POST", "/api/tasks", { projectId: content.projects[0], title: "A task" }),
    };
    const costs = {};
    for (const [name, work] of Object.entries(works)) {
      costs[name] = servers.map(() => []);
      for (let round = -warmUps; round < rounds; round++) {
        for (const [index, server] of servers.entries()) {
          const cost = await measureCost(server.pid, () => work(server));
          if (round >= 0) costs[name][index].push(cost);
        }
      }
    }
    const large = servers.at(-1);
    const tasks = await large.request("GET", route(large.content, 100_000));
    const bytes = Buffer.byteLength(JSON.stringify(tasks)) / tasks.length;
    const counts = `${tasks.length.toLocaleString("en")} tasks`;
    return [
      toLine(`the first page of a board of ${counts}, compared with a tenth of them`, costs.first),
      toLine(`creating a task among ${counts}, compared with a tenth of them`, costs.create),
      { name: "what the board loads of a task", value: bytes, unit: "bytes", target: 720, note: `JSON, mean of ${counts}` },
    ];
  } finally {
    for (const server of servers) await server.close();
  }
}

function toLine(name, [few, many]) {
  const [fewMs, manyMs] = [quantile(few, 0.5), quantile(many, 0.5)];
  return { name, value: manyMs / fewMs, unit: "×", target: 1.5, note: `${manyMs.toFixed(1)} ms to ${fewMs.toFixed(1)} ms` };
}
