import { expect, test, vi } from 'vitest'
import { bindMethods } from './bind-methods.js'

class Counter {
  #count = 0
  add(by = 1): number {
    return (this.#count += by)
  }
}
bindMethods(Counter.prototype)

test('a method is called without its object, and is one function', () => {
  const [a, b] = [new Counter(), new Counter()]
  const { add } = a
  add()
  expect(add(2)).toBe(3)
  expect(a.add).toBe(add)
  expect(b.add).not.toBe(add)
  expect(b.add()).toBe(1)
})

test('a new object has no members of its own', () => {
  expect(Object.getOwnPropertyNames(new Counter())).toEqual([])
})

test('a subclass overrides it, and calls that of its base', () => {
  class Twice extends Counter {
    override add(by = 1): number {
      return super.add(by * 2)
    }
  }
  const twice = new Twice()
  expect([twice.add(), twice.add(2)]).toEqual([2, 6])
})

test('it can be replaced, and spied on', () => {
  const counter = new Counter()
  const spy = vi.spyOn(counter, 'add')
  expect(counter.add(2)).toBe(2)
  expect(spy).toHaveBeenCalledExactlyOnceWith(2)
  spy.mockRestore()
  expect(counter.add()).toBe(3)
  counter.add = () => 7
  expect(counter.add()).toBe(7)
})
