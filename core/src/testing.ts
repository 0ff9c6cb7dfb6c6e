// Mocked responses.
export type { Fixture, Interceptor, InterceptorContext, KeyInterceptor } from './testing/fixture.js'
export type { Payload } from './schema/payload.js'
export type { PayloadOf } from './endpoint/payload-of.js'

// A Controller without a server.
export { MockController, createMockController, defineMocks } from './testing/mock-controller.js'
export type { MockOptions } from './testing/mock-controller.js'
export type { MockRequest } from './testing/mock-network.js'

// A recording of the panel as a network.
export { replay } from './testing/replay.js'
export type { Replay, ReplayEntry, ReplayError, ReplayRecording } from './testing/replay.js'

// Shared by the test helpers of the bindings.
export { cleanup, openHook } from './testing/rendered-hook.js'
export type { HookResult, OnScreen, RenderedHook, RenderOptions, Stage } from './testing/rendered-hook.js'
export type { WaitOptions } from './testing/settle.js'

// Time.
export { TestClock } from './testing/test-clock.js'
