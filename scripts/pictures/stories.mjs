/** The content of the pictures: the same project in two languages. */

const tiles = `import { fetchTile } from "./fetch-tile.js";

export async function loadTile(id) {
  const response = await fetchTile(id);
  return response.arrayBuffer();
}
`;

const cachedTiles = `import { fetchTile } from "./fetch-tile.js";
import { readTile, writeTile } from "./tile-cache.js";

export async function loadTile(id) {
  const cached = await readTile(id);
  if (cached) return cached;
  const response = await fetchTile(id);
  const tile = await response.arrayBuffer();
  await writeTile(id, tile);
  return tile;
}
`;

const tileCache = `import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../../.tiles");
const pathOf = ({ zoom, x, y }) => join(root, String(zoom), String(x), \`\${y}.png\`);

/** Undefined where the tile has not been stored yet. */
export async function readTile(id) {
  return readFile(pathOf(id)).catch(() => undefined);
}

export async function writeTile(id, tile) {
  await mkdir(dirname(pathOf(id)), { recursive: true });
  await writeFile(pathOf(id), Buffer.from(tile));
}
`;

const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { readTile, writeTile } from "../src/map/tile-cache.js";

test("a tile that was written is read back", async () => {
  await writeTile({ zoom: 3, x: 1, y: 2 }, new Uint8Array([1, 2, 3]));
  assert.deepEqual([...(await readTile({ zoom: 3, x: 1, y: 2 }))], [1, 2, 3]);
});
`;

/** The repository at the start. */
export const files = {
  "README.md": "# Atlas\n\nMaps for field teams that work offline.\n\n## Development\n\n    npm test\n",
  "package.json": '{ "name": "atlas", "type": "module", "scripts": { "test": "node --test", "build": "sleep 600" } }\n',
  ".gitignore": ".tiles/\n",
  "src/map/tiles.js": tiles,
  "src/map/fetch-tile.js": `export const fetchTile = (id) => fetch(\`https://tiles.example.org/\${id.zoom}/\${id.x}/\${id.y}.png\`);\n`,
  "src/routes/upload.js": 'export const upload = (file) => fetch("/uploads", { method: "POST", body: file });\n',
};

const call = (name, input) => ({ name, arguments: input });

/** An agent at work: its texts for each step, around the same tool calls. */
const work = ([look, plan, edit, check, summary]) => [
  { text: look, toolCalls: [call("read", { path: "src/map/tiles.js" }), call("grep", { pattern: "loadTile" })] },
  { text: plan, toolCalls: [call("write", { path: "src/map/tile-cache.js", content: tileCache })] },
  { text: edit, toolCalls: [call("edit", { path: "src/map/tiles.js", oldText: tiles, newText: cachedTiles })] },
  { text: check, toolCalls: [call("write", { path: "test/tile-cache.test.js", content: test }), call("bash", { command: "npm test" })] },
  { text: summary },
];
const command = (text, command) => [{ text, toolCalls: [call("bash", { command })] }, { text: "…" }];
const change = (text) => [
  { text, toolCalls: [call("edit", { path: "src/routes/upload.js", oldText: '"/uploads"', newText: '"/v2/uploads"' })] },
  { text: "…" },
];
const ask = (question, options) => [{ toolCalls: [call("ask", { questions: [{ question, options }] })] }, { text: "…" }];
const plan = (plan) => [{ toolCalls: [call("exit_plan", { plan })] }, { text: "…" }];

export const stories = {
  en: {
    locale: "en-US",
    prompt: "Retry uploads that fail half way. Keep the parts that have arrived.",
    main: {
      title: "Cache tiles on disk",
      tags: ["offline"],
      prompt: "Cache map tiles on disk, so that the map works offline. Add a test.",
      steps: work([
        "I'll look at how tiles are loaded today.",
        "Every tile is fetched from the network. A small module of its own will keep them on disk:",
        "`loadTile` now asks the cache first and stores what it fetches:",
        "A test proves that a tile survives the way to the disk and back.",
        "Tiles are cached on disk now.\n\n- **`src/map/tile-cache.js`** reads and writes tiles under `.tiles/`, which git ignores already.\n- **`src/map/tiles.js`** asks the cache first, and stores what it had to fetch.\n- **`test/tile-cache.test.js`** writes a tile and reads it back.\n\n`npm test` passes. Nothing removes old tiles yet: tell me if the cache should have a limit.",
      ]),
    },
    working: [
      { title: "Move uploads to the new endpoint", mode: "ask", priority: "high", steps: change("The endpoint is in one place.") },
      { title: "Remove the old build output", mode: "ask", steps: command("It is not needed any more.", "rm -rf dist coverage") },
      {
        title: "Choose how routes are exported",
        mode: "ask",
        tags: ["routes"],
        steps: ask("Which format should routes be exported in?", [
          { label: "GPX", description: "read by most devices" },
          { label: "GeoJSON", description: "easier to edit" },
        ]),
      },
      {
        title: "Resume uploads after a lost connection",
        mode: "plan",
        tags: ["uploads"],
        steps: plan(
          "# Resume uploads\n\n1. Send files in parts of 4 MB.\n2. Ask the server which parts it has before a retry.\n3. Test with a server that drops every third part.",
        ),
      },
      { title: "Build the release", mode: "full", isLong: true, steps: command("I build it first.", "npm run build") },
    ],
    failing: { title: "Translate the error messages", error: "401 Incorrect API key provided." },
    waiting: [
      { title: "Show distances in miles", tags: ["units"] },
      { title: "Undo in the route editor", priority: "high" },
      { title: "Import GPX files", priority: "medium", tags: ["import"] },
      { title: "A darker map style for night work", priority: "low" },
      { title: "Draw contour lines", status: "done" },
      { title: "Update the dependencies", status: "done" },
    ],
  },
  zh: {
    locale: "zh-CN",
    prompt: "上传中断后自动重试，保留已经传完的分片。",
    main: {
      title: "把地图瓦片缓存到磁盘",
      tags: ["离线"],
      prompt: "把地图瓦片缓存到磁盘，让地图可以离线使用，并补上测试。",
      steps: work([
        "先看看现在瓦片是怎么加载的。",
        "目前每个瓦片都从网络获取。我新建一个小模块，把它们存到磁盘：",
        "`loadTile` 现在先查缓存，没有再下载并写入：",
        "再加一个测试，确认写入的瓦片能原样读回。",
        "瓦片现在会缓存到磁盘。\n\n- **`src/map/tile-cache.js`** 在 `.tiles/` 下读写瓦片，该目录已被 git 忽略。\n- **`src/map/tiles.js`** 先查缓存，下载后写入。\n- **`test/tile-cache.test.js`** 写入一个瓦片再读回。\n\n`npm test` 通过。目前不会清理旧瓦片，如果需要限制缓存大小请告诉我。",
      ]),
    },
    working: [
      { title: "把上传迁移到新接口", mode: "ask", priority: "high", steps: change("接口地址只有一处。") },
      { title: "删除旧的构建产物", mode: "ask", steps: command("这些文件已经不需要了。", "rm -rf dist coverage") },
      {
        title: "确定路线的导出格式",
        mode: "ask",
        tags: ["路线"],
        steps: ask("路线应该导出为哪种格式？", [{ label: "GPX", description: "大多数设备都支持" }, { label: "GeoJSON" }]),
      },
      {
        title: "断线后继续上传",
        mode: "plan",
        tags: ["上传"],
        steps: plan("# 断点续传\n\n1. 按 4 MB 分片发送。\n2. 重试前先询问服务器已有哪些分片。"),
      },
      { title: "构建发布版本", mode: "full", isLong: true, steps: command("先构建。", "npm run build") },
    ],
    failing: { title: "翻译错误提示", error: "401 Incorrect API key provided." },
    waiting: [
      { title: "支持以英里显示距离", tags: ["单位"] },
      { title: "路线编辑器支持撤销", priority: "high" },
      { title: "导入 GPX 文件", priority: "medium", tags: ["导入"] },
      { title: "适合夜间作业的深色地图", priority: "low" },
      { title: "绘制等高线", status: "done" },
      { title: "更新依赖", status: "done" },
    ],
  },
};
