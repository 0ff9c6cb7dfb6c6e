import { describe, expect, test, vi } from 'vitest'
import { wait, waitUnlessAborted } from './wait.js'

function beginWait(signal?: AbortSignal) {
  const end = vi.fn()
  let go = () => {}
  const begin = vi.fn((goOn: () => void) => {
    go = goOn
    return end
  })
  return { waiting: waitUnlessAborted(begin, signal), begin, end, go: () => go() }
}

describe('waitUnlessAborted', () => {
  test('is over when it is told so, and hears no abort after that', async () => {
    const abort = new AbortController()
    const { waiting, end, go } = beginWait(abort.signal)
    go()
    await expect(waiting).resolves.toBeUndefined()
    abort.abort()
    expect(end).not.toHaveBeenCalled()
  })

  test('ends what it began when it is aborted, with the reason', async () => {
    const abort = new AbortController()
    const { waiting, end } = beginWait(abort.signal)
    abort.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    expect(end).toHaveBeenCalledTimes(1)
  })

  test('begins nothing where it was aborted before', async () => {
    const { waiting, begin } = beginWait(AbortSignal.abort(new Error('left')))
    await expect(waiting).rejects.toThrow('left')
    expect(begin).not.toHaveBeenCalled()
  })
})

test('wait forgets its timer when it is aborted', async () => {
  const clock = { now: () => 0, setTimeout: vi.fn(() => 'timer'), clearTimeout: vi.fn() }
  const abort = new AbortController()
  const waiting = wait(300, clock, abort.signal)
  expect(clock.setTimeout).toHaveBeenCalledWith(expect.any(Function), 300, { keepsAlive: true })
  abort.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  expect(clock.clearTimeout).toHaveBeenCalledWith('timer')
})
