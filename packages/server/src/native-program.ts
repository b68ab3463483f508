/*
 * The native agent's program, started in a runner like every other agent. It connects the agent's loop with the models.
 */
import { runNativeProgram } from "@skein/agents/native-program";
import { boundCall, createModel } from "@skein/providers";

await runNativeProgram({ createModel: (modelId, access) => createModel(modelId, access), boundCall });
