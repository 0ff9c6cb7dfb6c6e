import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Controller } from '@selfsame/core'
import { expect } from 'vitest'
import type { GenerateOptions } from './options.js'
import { exceptions } from './testing-exceptions.js'
import { fromSwagger, isSwagger } from './swagger.js'
import { generateRaw } from './testing-generate.js'
import { startMock } from './testing-mock.js'
import type { Records } from './testing-mock.js'
import type { TestServer } from './testing-server.js'

type Fields = Record<string, unknown>

/** What is written of a description, without the types, which other tests check. */
export type Api = Record<string, Record<string, unknown>>

/** A Controller, the written code, and the server that is made from the same description. */
export interface Stage {
  readonly api: Api
  readonly server: TestServer
  /** Fetches by an endpoint of the written code. */
  fetch(endpoint: unknown, ...args: readonly unknown[]): Promise<unknown>
  /** What the cache has for an endpoint of the written code. */
  read(endpoint: unknown, ...args: readonly unknown[]): unknown
}

/**
 * Writes code from a description, and starts a server that is made from the same description.
 *
 * @param name - that of the description, and after a space what tells two tests of it apart
 */
export async function stageOf(
  name: string,
  source: object,
  records: readonly Records[],
  options: Partial<GenerateOptions> = {},
): Promise<Stage> {
  const { [name.split(' ')[0] ?? '']: ofDescription } = exceptions
  const server = await startMock(isSwagger(source) ? fromSwagger(source) : source, records, ofDescription)
  const folder = join(
    import.meta.dirname,
    '../../../node_modules/.cache/openapi-requests',
    name.replace(' ', '-'),
  )
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { path, text } of generateRaw(source, { ...options, urlPrefix: server.urlPrefix }).files)
    writeFileSync(join(folder, path), text)
  const api = (await import(/* @vite-ignore */ join(folder, 'index.ts'))) as Api
  const { credentials = {} } = api
  for (const member of Object.keys(credentials)) credentials[member] = 'secret'
  const controller = new Controller()
  const fetch = controller.fetch as (...args: readonly unknown[]) => Promise<unknown>
  const read = controller.read as (...args: readonly unknown[]) => { readonly data: unknown }
  return {
    api,
    server,
    fetch: (...args) => fetch.apply(controller, args),
    read: (...args) => read.apply(controller, args).data,
  }
}

/** The calls of one kind of record. */
export interface Walk {
  /** A resource of the written code, or endpoints in its form. */
  readonly resource: Readonly<Record<string, unknown>>
  /** The field of the list's data that holds the members. @default the data are the list */
  readonly listIn?: string
  /** What each call is given besides the primary key. */
  readonly args?: Fields
  /** What the list is given, if it is something else. */
  readonly listArgs?: Fields
  /** The primary keys of the records that the server has. */
  readonly ids: readonly [unknown, unknown]
  /** The body of `create`. */
  readonly created?: Fields
  /** The body of an update: one field. */
  readonly changed?: Fields
  /** A record in the records. Both have the same one. */
  readonly nested?: (record: Fields) => unknown
}

/**
 * Lists records, reads one, creates, changes and deletes one, and expects that it is everywhere the selfsame object.
 *
 * @returns the requests that were sent
 */
export async function walk(stage: Stage, one: Walk): Promise<readonly string[]> {
  const { resource, listIn, args = {}, ids, created, changed, nested } = one
  const { getList, get, create, partialUpdate, update, delete: remove } = resource
  const params = one.listArgs ?? args
  const listArgs = Object.keys(params).length === 0 ? [] : [params]
  const argsOf = (id: unknown) => ({ ...args, id })
  const members = (data = stage.read(getList, ...listArgs)) =>
    (listIn === undefined ? data : (data as Fields)[listIn]) as readonly Fields[]

  const listed = members(await stage.fetch(getList, ...listArgs))
  expect(listed.map(({ id }) => id)).toEqual(ids)
  const [first] = listed
  expect(await stage.fetch(get, argsOf(ids[0]))).toBe(first)
  if (nested !== undefined) {
    expect(nested(listed[0] ?? {})).toBeTypeOf('object')
    expect(nested(listed[0] ?? {})).toBe(nested(listed[1] ?? {}))
  }
  if (create !== undefined && created !== undefined) {
    const added = (await stage.fetch(create, ...listArgs, created)) as Fields
    expect(added).toMatchObject(created)
    expect(members().length).toBe(3)
    expect(members().includes(added)).toBe(true)
  }
  if (changed !== undefined) {
    await stage.fetch(partialUpdate ?? update, argsOf(ids[0]), changed)
    expect(members()[0]).toMatchObject(changed)
    expect(members()[0]).not.toBe(first)
    expect(stage.read(get, argsOf(ids[0]))).toBe(members()[0])
  }
  if (remove !== undefined) {
    const before = members().length
    await stage.fetch(remove, argsOf(ids[1]))
    expect(members().length).toBe(before - 1)
    expect(members().some(({ id }) => id === ids[1])).toBe(false)
  }
  return stage.server.requests
}
