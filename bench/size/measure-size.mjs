import { setTimeout as delay } from "node:timers/promises";
import { measureCost } from "./cpu-time.mjs";
import { createSizedServer } from "./sized-server.mjs";

/** `watchedMs`: how long other requests are sent while a deletion runs in the background. */
const defaults = { sizes: [10_000, 100_000, 1_000_000], rounds: 9, watchedMs: 5000 };
/** Search queries: prefixes, whole words, identifiers and parts of them, several words, Chinese, and no match. */
const queries = [
  "t",
  "te",
  "the",
  "get",
  "getU",
  "UserEmail",
  "EmailAddress",
  "error value",
  "parse read",
  "src/api",
  "用户",
  "数据库",
  "登录页面的错误",
  "getStrictUserEmail the",
  "zzzzqq",
];

/**
 * What the same work costs with 10,000, 100,000 and 1,000,000 messages: real servers over HTTP, the sizes in turn, medians of the
 * server's processor time.
 */
export async function measureSize({ sizes, rounds, watchedMs, form } = defaults) {
  const servers = [];
  try {
    for (const size of sizes) servers.push(await createSizedServer(size, form));
    const starts = await inTurn(servers, rounds, async (server) => {
      const cost = await server.start();
      await server.stop();
      return cost;
    });
    for (const server of servers) await server.start();
    const measured = { start: starts };
    for (const [name, work] of Object.entries(works)) {
      for (const server of servers) await work(server, 0);
      measured[name] = await inTurn(servers, rounds, (server, round) => measureCost(server.pid, () => work(server, round)));
    }
    return [
      toLine("start to first answer", measured.start, 1.5),
      toLine("opening a conversation", measured.open, 1.5),
      toLine("the newest page of the longest conversation", measured.openLong, 1.5),
      toLine("sending a message", measured.send, 1.5),
      toLine("the board, per task", perTask(measured.list, await Promise.all(servers.map(countTasks))), 1.5),
      // A marker per task, in pages of 500 (`services/list-missed.ts`): 10,000 messages are 45 tasks, which do not fill the first page.
      // From 100,000 on the first page is full, and the cost until then the same.
      toLine("catching up from the beginning, until the first event", measured.catchUp, 5),
      await measureCatchUpWaits(servers, { rounds, watchedMs }),
      ...(await measureSearch(servers, rounds)),
      ...(await measureDeletion(servers, watchedMs)),
    ];
  } finally {
    for (const server of servers) await server.close();
  }
}

const works = {
  open: ({ request, content }) => request("GET", `/api/tasks/${content.probes[0].id}/conversation?limit=50`),
  openLong: ({ request, content }) => request("GET", `/api/tasks/${content.long.id}/conversation?limit=50`),
  list: ({ request, content }) => request("GET", `/api/tasks?projectId=${content.projects[0]}`),
  catchUp: (server) => server.catchUp(),
  // a queued message costs the database as much as a started one, without an agent running alongside
  send: async ({ request, content }) => {
    const task = await request("POST", "/api/tasks", { projectId: content.projects[0], title: "A task" });
    const attempt = await request("POST", `/api/tasks/${task.id}/attempts`, {
      agent: "claude-code",
      isolation: "in-place",
      permissionMode: "full",
    });
    await request("POST", "/api/commands", { type: "SEND_MESSAGE", taskId: task.id, message: "1 lines, 0 ms" });
    while ((await request("GET", `/api/attempts/${attempt.id}/executions`)).some(({ status }) => status === "running")) await pause();
  },
};

const pause = () => delay(100);

/** Costs by size, each a list of rounds. The sizes take turns, so that other load on the machine affects all of them. */
async function inTurn(servers, rounds, measure) {
  const costs = new Map(servers.map(({ messages }) => [messages, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const server of servers) costs.get(server.messages).push(await measure(server, round));
  }
  return costs;
}

async function measureSearch(servers, rounds) {
  const sizes = servers.map(({ messages }) => messages);
  const largest = sizes.at(-1);
  const costs = new Map();
  for (const query of queries) {
    const search = ({ request }) => request("GET", `/api/search?q=${encodeURIComponent(query)}&limit=40`);
    for (const server of servers) await search(server);
    costs.set(query, await inTurn(servers, rounds, (server) => measureCost(server.pid, () => search(server))));
  }
  const of = (size) => [...costs.values()].map((cost) => quantile(cost.get(size), 0.5));
  const all = [...costs.values()].flatMap((cost) => cost.get(largest));
  const slowest = [...costs].toSorted(([, a], [, b]) => quantile(b.get(largest), 0.5) - quantile(a.get(largest), 0.5))[0];
  const note = `${queries.length} queries × ${rounds}; slowest “${slowest[0]}” ${quantile(slowest[1].get(largest), 0.5).toFixed(1)} ms`;
  return [
    { name: `search, p95 at ${largest.toLocaleString("en")} messages`, value: quantile(all, 0.95), unit: "ms", target: 100, note },
    // The newest part of the index, which most queries read, has 10,000 rows in the smallest database and up to 32,768 in the others; a rare
    // word is looked up in each part, of which 1,000,000 messages have 31 (`storage/src/search/full-text-index.ts`).
    toLine("search, the usual query", new Map(sizes.map((size) => [size, of(size)])), 3),
  ];
}

/** How much longer others wait on the largest server while a client that has seen nothing catches up: the longest wait, median of rounds. */
async function measureCatchUpWaits(servers, { rounds, watchedMs }) {
  const [small, large] = [servers[0], servers.at(-1)];
  const roundMs = watchedMs / 5;
  const more = { ms: [], ofServer: [] };
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const [idle, busy] = await Promise.all([
      small.listWaits(() => delay(roundMs)),
      large.listWaits(async () => {
        bytes = await large.readEvents(roundMs);
      }),
    ]);
    for (const field of ["ms", "ofServer"]) more[field].push(quantileOf(busy, field, 1) - quantileOf(idle, field, 1));
  }
  const clock = `on the clock ${quantile(more.ms, 0.5).toFixed(0)} ms`;
  return {
    name: "another request waits while a client catches up",
    value: quantile(more.ofServer, 0.5),
    unit: "ms",
    target: 50,
    note: `longest, more than on an idle server, without waits for a processor; ${clock}; ${(bytes / 1000).toFixed(0)} kB sent`,
  };
}

/**
 * The response to DELETE: for the same attempt in each, then for one with a tenth of all messages while others send requests. What it
 * costs the server until its answer; most of the time on the clock is that of git's processes, of which there are as many for any size.
 */
async function measureDeletion(servers, watchedMs) {
  const remove = ({ request, pid }, { attemptId }) => costOf(pid, () => request("DELETE", `/api/attempts/${attemptId}`));
  const one = new Map(servers.map(({ messages }) => [messages, []]));
  for (const probe of [1, 2, 3]) {
    for (const server of servers) one.get(server.messages).push((await remove(server, server.content.probes[probe])).cpuMs);
  }
  for (const server of servers) await waitUntilDeleted(server);
  const [small, large] = [servers[0], servers.at(-1)];
  const ofSmall = await remove(small, small.content.long);
  await waitUntilDeleted(small);
  let ofLarge;
  // both at the same time, so that other load on the machine also affects the one without a deletion
  const [idle, busy] = await Promise.all([
    small.listWaits(() => delay(watchedMs)),
    large.listWaits(async () => {
      const until = delay(watchedMs);
      ofLarge = await remove(large, large.content.long);
      await until;
    }),
  ]);
  const more = (field) => quantileOf(busy, field, 0.99) - quantileOf(idle, field, 0.99);
  return [
    toLine("deleting an attempt of 1,000 messages, until the answer", one, 2),
    {
      name: "deleting an attempt of 100 times the messages, until the answer",
      value: ofLarge.cpuMs / ofSmall.cpuMs,
      unit: "×",
      // the rows of its 4,000 executions are deleted at once, those of its messages are not
      target: 10,
      note: `${ofLarge.cpuMs.toFixed(0)} ms to ${ofSmall.cpuMs.toFixed(0)} ms: ${tenthOf(large)} to ${tenthOf(small)} messages; on the clock ${ofLarge.ms.toFixed(0)} ms to ${ofSmall.ms.toFixed(0)} ms`,
    },
    {
      name: "another request waits meanwhile",
      value: more("ofServer"),
      unit: "ms",
      target: 50,
      note: `p99, more than on a server that deletes nothing, without waits for a processor; on the clock ${more("ms").toFixed(0)} ms`,
    },
  ];
}

async function waitUntilDeleted({ request }) {
  while ((await request("GET", "/api/storage")).deleting.messages > 0) await pause();
}

/** What `work` costs a server, and how long it takes on the clock. */
async function costOf(pid, work) {
  const startedAt = performance.now();
  const cpuMs = await measureCost(pid, work);
  return { cpuMs, ms: performance.now() - startedAt };
}

const tenthOf = ({ messages }) => (messages / 10).toLocaleString("en");

const countTasks = async ({ request, content }) => (await request("GET", `/api/tasks?projectId=${content.projects[0]}`)).length;

const perTask = (costs, counts) => new Map([...costs].map(([size, values], index) => [size, values.map((value) => value / counts[index])]));

function toLine(name, costs, target) {
  const medians = [...costs.values()].map((values) => quantile(values, 0.5));
  const value = medians.at(-1) / medians[0];
  const sizes = [...costs.keys()].map((size) => size.toLocaleString("en"));
  const note = `${medians.map((ms) => ms.toFixed(ms < 1 ? 3 : 1)).join(" / ")} ms at ${sizes.join(" / ")} messages`;
  return { name, value, unit: "×", target, note };
}

function quantileOf(waits, field, part) {
  return quantile(
    waits.map((wait) => wait[field]),
    part,
  );
}

function quantile(values, part) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
}
