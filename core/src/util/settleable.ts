/** A promise with its state, so that readers can use a settled value at once. */
export type TaggedPromise<Value> = Promise<Value> &
  (
    | { readonly status: 'pending' }
    | { readonly status: 'fulfilled'; readonly value: Value }
    | { readonly status: 'rejected'; readonly reason: Error }
  )

/** A tagged promise and the functions that settle it. */
export interface Settleable<Value> {
  readonly promise: TaggedPromise<Value>
  resolve(value: Value): void
  reject(reason: Error): void
}

/** Makes a pending promise and the functions that settle it. Each sets the tag before the promise settles. */
export function createSettleable<Value>(): Settleable<Value> {
  let resolve: (value: Value) => void
  let reject: (reason: Error) => void
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  const tag = (members: object) => Object.assign(promise, members)
  tag({ status: 'pending' })
  return {
    promise: promise as TaggedPromise<Value>,
    resolve(value) {
      tag({ status: 'fulfilled', value })
      resolve(value)
    },
    reject(reason) {
      tag({ status: 'rejected', reason })
      reject(reason)
    },
  }
}
