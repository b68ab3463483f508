/*
 * The native agent's program, started in a runner like every other agent: this is where its loop and the models meet.
 */
import { runNativeProgram } from "@skein/agents/native-program";
import { createModel } from "@skein/providers";

await runNativeProgram({ createModel: (modelId, access) => createModel(modelId, access) });
