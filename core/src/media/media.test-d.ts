import { expectTypeOf, test } from 'vitest'
import { Controller } from '../index.js'
import type { ArgsOf, DataOf, NamedCall, Progress } from '../index.js'
import { BlobEndpoint, ObjectUrlEndpoint, fetchByXhr, fetchWithProgress, getImage } from '../media.js'
import { RestEndpoint } from '../rest.js'

const controller = new Controller()

test('a BlobEndpoint gives a Blob, and takes the params of its path', () => {
  const getReport = new BlobEndpoint({ path: '/report/:id', fetchResponse: fetchWithProgress })
  expectTypeOf<DataOf<typeof getReport>>().toEqualTypeOf<Blob>()
  expectTypeOf(getReport({ id: 5 })).toEqualTypeOf<Promise<Blob>>()
  expectTypeOf(controller.fetch(getReport, { id: 5 })).toEqualTypeOf<Promise<Blob>>()
  expectTypeOf(getReport.sideEffect).toEqualTypeOf<undefined>()
  // @ts-expect-error the path needs an id
  void getReport()
  // @ts-expect-error a file has no schema
  new BlobEndpoint({ path: '/report', schema: [] })
  const renamed = getReport.extend({ path: '/other/:name' })
  expectTypeOf(renamed({ name: 'a' })).toEqualTypeOf<Promise<Blob>>()
})

test('a process of its own names the value', () => {
  const getSize = new BlobEndpoint({ path: '/report', process: (blob: Blob) => blob.size })
  expectTypeOf<DataOf<typeof getSize>>().toEqualTypeOf<number>()
})

test('an ObjectUrlEndpoint gives text', () => {
  const getAvatar = new ObjectUrlEndpoint({ path: '/user/:id/avatar' })
  expectTypeOf<DataOf<typeof getAvatar>>().toEqualTypeOf<string>()
  // @ts-expect-error its result is always the object URL
  new ObjectUrlEndpoint({ path: '/user', process: () => 5 })
})

test('getImage takes what decides what an <img> loads', () => {
  expectTypeOf<DataOf<typeof getImage>>().toEqualTypeOf<string>()
  void getImage({ src: '/a.png', srcset: '/a.png 1x', crossOrigin: 'anonymous' })
  // @ts-expect-error an image has an address
  void getImage({})
})

test('a call without params of its path is named by nothing, or by its body', () => {
  const create = new RestEndpoint({ path: '/user', method: 'POST', body: {} as { name: string } })
  expectTypeOf<[]>().toExtend<ArgsOf<NamedCall<typeof create>>>()
  expectTypeOf<[{ name: string }]>().toExtend<ArgsOf<NamedCall<typeof create>>>()
  expectTypeOf<[5]>().not.toExtend<ArgsOf<NamedCall<typeof create>>>()
  const update = new RestEndpoint({ path: '/user/:id', method: 'PUT', body: {} as { name: string } })
  expectTypeOf<[]>().not.toExtend<ArgsOf<NamedCall<typeof update>>>()
})

test('params without a body are followed by undefined where one argument alone is the body', () => {
  const upload = new RestEndpoint({
    path: '/upload',
    method: 'PUT',
    searchParams: {} as { userId: number },
    body: {} as Blob,
  })
  expectTypeOf<[{ userId: number }, undefined]>().toExtend<ArgsOf<NamedCall<typeof upload>>>()
  expectTypeOf<[{ userId: number }, Blob]>().toExtend<ArgsOf<NamedCall<typeof upload>>>()
  expectTypeOf<[Blob]>().toExtend<ArgsOf<NamedCall<typeof upload>>>()
  // The key of these params alone would be that of a call without params.
  expectTypeOf<[{ userId: number }]>().not.toExtend<ArgsOf<NamedCall<typeof upload>>>()
})

test('a call is named without its body', () => {
  const upload = new RestEndpoint({
    path: '/user/:id/avatar',
    method: 'PUT',
    body: {} as Blob,
    fetchResponse: fetchByXhr,
  })
  expectTypeOf<ArgsOf<NamedCall<typeof upload>>['length']>().toEqualTypeOf<1 | 2>()
  expectTypeOf<ArgsOf<typeof upload>['length']>().toEqualTypeOf<2>()
  // @ts-expect-error to send it needs the body
  void upload({ id: 5 })
  controller.subscribe(upload, { id: 5 }, new Blob(), ({ progress }) => {
    expectTypeOf(progress).toEqualTypeOf<Progress | undefined>()
  })
})
