import { type as ark } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Controller, Endpoint, Entity, EntityMixin, schema } from '../index.js'
import type { Schema, StandardIssue, Validator } from '../index.js'
import { reasonOf } from './validator.js'
import { optimistic } from '../optimistic/optimistic.js'

const standard = (...issues: StandardIssue[]): Validator => ({
  '~standard': { validate: () => (issues.length === 0 ? {} : { issues }) },
})
let endpoints = 0
const answering = (
  answer: unknown,
  options: { schema?: Schema; validate?: Validator; sideEffect?: boolean },
) =>
  new Endpoint((_params: object) => Promise.resolve(answer), {
    name: `judged${endpoints++}`,
    ...options,
  } as { schema: Schema })

const validators: [name: string, validator: Validator][] = [
  ['zod', z.object({ id: z.number(), title: z.string().transform((text) => text.length) })],
  [
    'valibot',
    v.object({
      id: v.number(),
      title: v.pipe(
        v.string(),
        v.transform((text) => text.length),
      ),
    }),
  ],
  ['arktype', ark({ id: 'number', title: 'string' })],
  [
    'a function',
    (record: { title?: unknown }) => (typeof record.title === 'string' ? undefined : 'title is no text'),
  ],
]

describe.each(validators)('a validator of %s', (_, validator) => {
  class Article extends Entity {
    id = 0
    title = ''
    static override key = 'Article'
    static override validate = validator
  }
  class Summary extends Entity {
    id = 0
    title = ''
    static override key = 'Article'
  }

  test('judges the records of a class, and its output is not stored', async () => {
    const controller = new Controller()
    const good = answering({ id: 1, title: 'abc', extra: 1 }, { schema: Article })
    expect(await controller.fetch(good, { id: 1 })).toMatchObject({ id: 1, title: 'abc', extra: 1 })
    const bad = answering({ id: 2, title: 5 }, { schema: Article })
    await expect(controller.fetch(bad, { id: 2 })).rejects.toThrow(
      /^judged\d+ .*received Article "2", which Article\.validate\(\) rejects: .*title/,
    )
    expect(controller.get(Summary, { id: 2 })).toBeUndefined()
    const list = answering([{ id: 3, title: 'c' }, { id: 4 }], { schema: [Article] })
    expect(await controller.fetch(list, {})).toMatchObject([{ id: 3 }])
  })

  test('judges what an endpoint is answered with, before anything is stored', async () => {
    const controller = new Controller()
    const options = { schema: Summary, validate: validator }
    expect(await controller.fetch(answering({ id: 1, title: 'abc' }, options), {})).toMatchObject({
      title: 'abc',
    })
    const bad = answering({ id: 2, title: 5 }, options)
    await expect(controller.fetch(bad, {})).rejects.toThrow(
      /^judged\d+ .*received a payload that its `validate` rejects: .*title/,
    )
    expect(controller.read(bad, {}).error).toMatchObject({ code: 'payload-unusable', status: 400 })
    expect(() => controller.setResponse(bad, {}, { id: 2 })).toThrow('its `validate` rejects')
    expect(controller.get(Summary, { id: 2 })).toBeUndefined()
    const plain = answering({ id: 5, title: 'plain' }, { validate: validator })
    expect(await controller.fetch(plain, {})).toEqual({ id: 5, title: 'plain' })
    await expect(controller.fetch(answering({ id: 5 }, { validate: validator }), {})).rejects.toThrow(
      'rejects',
    )
  })

  test('judges the answer of a mutation, and what was shown early is taken back', async () => {
    const controller = new Controller()
    controller.set(Summary, { id: 1 }, { id: 1, title: 'old' })
    const save = answering(
      { id: 1, title: 5 },
      { schema: Summary, validate: validator, sideEffect: true },
    ).extend({
      getOptimisticResponse: optimistic(() => ({ id: 1, title: 'early' })),
    })
    const saving = controller.fetch(save, {})
    expect(controller.get(Summary, { id: 1 })).toMatchObject({ title: 'early' })
    await expect(saving).rejects.toThrow('its `validate` rejects')
    expect(controller.get(Summary, { id: 1 })).toMatchObject({ title: 'old' })
    const empty = answering(null, {
      schema: new schema.Delete(Summary),
      validate: validator,
      sideEffect: true,
    })
    expect(await controller.fetch(empty, { id: 1 })).toBe(null)
  })
})

describe('a static method validate', () => {
  const required = (record: object, defaults: object) => {
    const missing = Object.keys(defaults).filter((name) => !(name in record))
    return missing.length === 0 ? undefined : `it has no ${missing.join(', ')}`
  }

  test('finds the defaults of the class, and the validate above it', () => {
    class Todo extends Entity {
      id = 0
      title = ''
      static override key = 'Todo'
      static override validate(record: object) {
        return required(record, this.defaults ?? {}) ?? super.validate(record)
      }
    }
    class Task extends Todo {
      done = false
      static override key = 'Task'
      static override validate(record: object) {
        return 'bad' in record ? 'it is bad' : super.validate(record)
      }
    }
    class Declared extends Todo {
      static override key = 'Declared'
      static override defaults = { title: 'none' }
    }
    class Mixed extends EntityMixin(
      class Plain {
        id = 0
        size = 0
      },
    ) {
      static override key = 'Mixed'
      static override validate(record: object) {
        return required(record, this.defaults ?? {}) ?? super.validate(record)
      }
    }
    const controller = new Controller()
    const set = (of: Parameters<typeof controller.set>[0], record: object) => () =>
      controller.set(of, { id: 1 }, record as never)
    expect(set(Todo, { id: 1, title: 'x' })).not.toThrow()
    expect(set(Todo, { id: 2 })).toThrow('it has no title')
    expect(set(Task, { id: 1, title: 'x' })).toThrow('it has no done')
    expect(set(Task, { id: 1, title: 'x', done: true, bad: 1 })).toThrow('it is bad')
    expect(set(Task, { id: 1, title: 'x', done: true })).not.toThrow()
    expect(set(Declared, { title: 'x', id: 1 })).not.toThrow()
    expect(set(Mixed, { id: 1 })).toThrow('it has no size')
    expect(set(Mixed, { id: 1, size: 1 })).not.toThrow()
    expect([Todo.defaults, Entity.defaults]).toEqual([undefined, undefined])
  })
})

describe('reasonOf', () => {
  test.each<[string, Validator, string | undefined]>([
    ['no issues', standard(), undefined],
    ['an issue without a path', standard({ message: 'is no article' }), 'is no article'],
    [
      'an issue with a path',
      standard({ message: 'is no text', path: ['tags', 2, { key: 'name' }] }),
      'tags[2].name: is no text',
    ],
    [
      'an issue whose message begins with its path',
      standard({ message: 'title must be a string', path: ['title'] }),
      'title must be a string',
    ],
    ['a symbol in a path', standard({ message: 'is odd', path: [Symbol('s')] }), '["Symbol(s)"]: is odd'],
    [
      'many issues',
      standard(...'abcdefg'.split('').map((path) => ({ message: 'no', path: [path] }))),
      'a: no; b: no; c: no; d: no; e: no; and 2 more',
    ],
    ['a function that returns nothing', () => undefined, undefined],
    ['a function that returns text', () => 'no', 'no'],
    ['a function that returns something else', () => true, 'it returned no text'],
  ])('of %s', (_, validator, reason) => {
    expect(reasonOf(validator, {}, undefined, 'x')).toBe(reason)
  })

  test('calls a function with its owner as `this`', () => {
    const owner = { limit: 5 }
    function validate(this: typeof owner, value: number) {
      return value > this.limit ? `more than ${this.limit}` : undefined
    }
    expect(reasonOf(validate, 6, owner, 'x')).toBe('more than 5')
  })

  test.each<[string, Validator]>([
    ['zod', z.object({ id: z.number() }).refine(() => Promise.resolve(true))],
    [
      'valibot',
      v.pipeAsync(
        v.object({}),
        v.checkAsync(() => Promise.resolve(true)),
      ),
    ],
    ['an async function', () => Promise.reject(new Error('late'))],
  ])('refuses a promise of %s', async (_, validator) => {
    expect(() => reasonOf(validator, { id: 1 }, undefined, 'Entity "Todo"')).toThrow(
      'The `validate` of Entity "Todo" returned a promise.\n  Use only synchronous checks.',
    )
    class Slow extends Entity {
      id = 0
      static override key = 'Slow'
      static override validate = validator
    }
    const controller = new Controller()
    await expect(controller.fetch(answering({ id: 1 }, { schema: Slow }), {})).rejects.toThrow(
      'The `validate` of Entity "Slow" returned a promise',
    )
    const call = answering({ id: 1 }, { validate: validator })
    await expect(controller.fetch(call, {})).rejects.toThrow(
      /^The `validate` of judged\d+ .*returned a promise/,
    )
  })
})

test('in production, a reason is the places and messages of the issues', async () => {
  vi.resetModules()
  vi.doMock('#development', () => ({ development: false }))
  const production = await import('./validator.js')
  vi.doUnmock('#development')
  const validator = standard(
    { message: 'Required', path: ['author', { key: 'name' }] },
    { message: 'Not a todo' },
  )
  expect(production.reasonOf(validator, {}, undefined, 'Todo')).toBe('author: name: Required; Not a todo')
})

test('in production the issues are named without further words', async () => {
  vi.resetModules()
  vi.doMock('#development', () => ({ development: false }))
  const production = await import('./validator.js')
  vi.doUnmock('#development')
  const issues = standard(
    { message: 'is no text', path: ['tags', { key: 0 }, Symbol('name')] },
    { message: 'is missing' },
  )
  expect(production.reasonOf(issues, {}, undefined, 'Todo')).toBe(
    'tags: 0: Symbol(name): is no text; is missing',
  )
  expect(production.reasonOf(standard(), {}, undefined, 'Todo')).toBe(undefined)
})
