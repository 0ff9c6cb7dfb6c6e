import { Controller, Endpoint, Entity } from '@selfsame/core'
import { BlobEndpoint, ObjectUrlEndpoint } from '@selfsame/core/media'
import { fetchByXhr } from '@selfsame/core/media'
import { getImage } from '@selfsame/core/media'
import { RestEndpoint } from '@selfsame/core/rest'
import {
  AsyncBoundary,
  DataProvider,
  useController,
  useProgress,
  useSuspense,
} from '@selfsame/react'
import { renderDataHook } from '@selfsame/react/testing'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serve } from './testing-network.js'

// The samples of docs/media.md.

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
afterEach(() => vi.unstubAllGlobals())

class User extends Entity {
  id = 0
  static override key = 'User'
}

const withToken = (headers: HeadersInit) => ({
  ...headers,
  'Access-Token': 'secret',
})
test('files are read as a Blob, or by an address', async () => {
  const pdf = () =>
    new Response('%PDF', { headers: { 'content-type': 'application/pdf' } })
  const requests = serve({
    'GET /report/5.pdf': pdf,
    'GET /user/5/avatar': pdf,
  })
  const getReport = new BlobEndpoint({ path: '/report/:id.pdf' })
  const getAvatar = new ObjectUrlEndpoint({
    path: '/user/:id/avatar',
    getHeaders: withToken,
  })
  const { result, settle, unmount } = renderDataHook(
    () => {
      const report = useSuspense(getReport, { id: 5 })

      const src = useSuspense(getAvatar, { id: 5 })
      return { report, src }
    },
    { unanswered: 'fetch' },
  )
  await vi.waitFor(async () => {
    await settle()
    expect(result.pending).toBe(false)
  })
  expect(result.current.report.size).toBe(4)
  expect(result.current.src).toMatch(/^blob:/)
  expect(requests[1]?.headers.get('Access-Token')).toBe('secret')
  await unmount()
})

interface Database {
  close(): void
}

test('an answer that is not kept is given up', async () => {
  const close = vi.fn<() => void>()
  const open = async (): Promise<Database> => ({ close })
  const openDatabase = new Endpoint(open, {
    name: 'openDatabase',
    dispose: (database: Database) => database.close(),
  })
  const controller = new Controller()
  await controller.fetch(openDatabase)
  controller.dispose()
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1))
})

function Photo({ src }: { src: string }) {
  return <img src={useSuspense(getImage, { src })} />
}

test('an image is shown when it is decoded', async () => {
  class DecodedImage {
    src = ''
    decode = () => Promise.resolve()
  }
  vi.stubGlobal('Image', DecodedImage)
  const element = document.createElement('div')
  const root = createRoot(element)
  await act(async () =>
    root.render(
      <DataProvider>
        <AsyncBoundary fallback="Loading">
          <Photo src="/photo.jpg" />
        </AsyncBoundary>
      </DataProvider>,
    ),
  )
  await vi.waitFor(() => expect(element.innerHTML).toContain('/photo.jpg'))
  await act(async () => root.unmount())
})

const uploadAvatar = new RestEndpoint({
  path: '/user/:id/avatar',
  method: 'PUT',
  body: {} as Blob,
  schema: User,
  fetchResponse: fetchByXhr,
})

function AvatarUpload({ id }: { id: number }) {
  const controller = useController()
  const progress = useProgress(uploadAvatar, { id })
  if (progress !== undefined)
    return <progress value={progress.loaded} max={progress.total} />
  const upload = (file: File) => controller.fetch(uploadAvatar, { id }, file)
  return (
    <input
      type="file"
      onChange={({ target }) => target.files?.[0] && upload(target.files[0])}
    />
  )
}

test('an upload shows how far it is', async () => {
  const uploads: EventTarget[] = []
  class Transport extends EventTarget {
    readonly upload = new EventTarget()
    responseType = ''
    withCredentials = false
    open() {}
    setRequestHeader() {}
    send() {
      uploads.push(this.upload)
    }
  }
  vi.stubGlobal('XMLHttpRequest', Transport)
  const element = document.createElement('div')
  const root = createRoot(element)
  await act(async () =>
    root.render(
      <DataProvider controller={new Controller()}>
        <AvatarUpload id={5} />
      </DataProvider>,
    ),
  )
  const input = element.querySelector('input')
  Object.defineProperty(input, 'files', {
    value: [new File(['1234'], 'me.png')],
  })
  await act(async () =>
    input?.dispatchEvent(new Event('change', { bubbles: true })),
  )
  await vi.waitFor(() => expect(uploads).toHaveLength(1))
  await act(async () =>
    uploads[0]?.dispatchEvent(
      new ProgressEvent('progress', {
        lengthComputable: true,
        loaded: 1,
        total: 4,
      }),
    ),
  )
  expect(element.querySelector('progress')?.getAttribute('value')).toBe('1')
  await act(async () => root.unmount())
})
