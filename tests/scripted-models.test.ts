import { expect, test } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

type Api = Awaited<ReturnType<typeof startConfiguredServer>>["api"];

async function run(api: Api, model: string) {
  const task = await api.createTask((await api.createProject(newRepository())).id);
  const attempt = await api.createAttempt(task.id, { model });
  const { executionId } = await api.send(task.id, "go");
  return waitForEnd({ api }, attempt.id, executionId);
}

test("[X7] a request that names a script as its model plays no file, unless the developer setting is on", async () => {
  const model = newScriptedModel([{ text: "Played." }]);
  const plain = await startConfiguredServer({}, { SKEIN_SCRIPTED_MODELS: "" });
  const refused = { status: 422, problem: { code: "model-not-usable", detail: expect.stringContaining("models from scripts are off") } };
  await expect(run(plain.api, model)).rejects.toMatchObject(refused);
  const off = await startConfiguredServer({ developer: { scriptedModels: true } }, { SKEIN_SCRIPTED_MODELS: "0" });
  await expect(run(off.api, model)).rejects.toMatchObject(refused);
  const on = await startConfiguredServer({ developer: { scriptedModels: true } }, { SKEIN_SCRIPTED_MODELS: "" });
  expect(await run(on.api, model)).toMatchObject({ status: "success" });
});
