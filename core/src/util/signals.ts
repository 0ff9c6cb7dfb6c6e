/** Does nothing in a browser and in Node, whose signals are complete. React Native loads `signals.native.ts` instead. */
export function completeSignals(): void {}
