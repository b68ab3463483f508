/*
 * Asks a model one question for the server, which itself never loads an SDK and holds no connection to a provider.
 */
import { runQuestionProgram } from "@skein/agents/question-program";
import { createModel } from "@skein/providers";

await runQuestionProgram({ createModel: (modelId, access) => createModel(modelId, access) });
