export { createNativeAgent, type NativeAgentOptions } from "./native/create-native-agent.ts";
export { encodeNativeControl, type NativeControl, nativeControlSchema } from "./native/native-control.ts";
export { type NativeInput, nativeInputSchema } from "./native/native-input.ts";
