import { runNativeProgram } from "@skein/agents/native-program";
import { createModel } from "@skein/providers";

const pace = Number(process.argv[2] ?? "0");
await runNativeProgram({ createModel: (modelId, access) => createModel(modelId, { ...access, pace }) });
