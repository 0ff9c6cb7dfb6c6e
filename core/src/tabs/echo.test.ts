import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../live.js'
import type { StreamSink } from '../live.js'
import { Observer } from '../observer/observer.js'
import { Todo, createTabs, settle } from './testing-tabs.js'

/** Two tabs that show one list, with a stream that they share. */
async function listeningTabs() {
  const stage = createTabs()
  const { channels, clock, open, serve } = stage
  const sinks: StreamSink[] = []
  const stream = (sink: StreamSink) => {
    sinks.push(sink)
    return () => {}
  }
  const tabs = [open(1, { sharesStreams: true }), open(2, { sharesStreams: true })] as const
  await settle()
  channels.deliverAll()
  for (const [index, { controller, todos }] of tabs.entries()) {
    const list = todos.getList.extend({ stream })
    void controller.fetch(list)
    await serve(index + 1)
    clock.advance(1)
    onTestFinished(connect(controller, list))
    const observer = new Observer(controller, list as never, [])
    onTestFinished(observer.retain(() => observer.fetchIfDue()))
    await settle()
  }
  channels.deliverAll()
  clock.advance(100)
  return { ...stage, tabs, echo: (title: string) => sinks[0]?.set(Todo, { id: 1 }, { id: 1, title }) }
}

test.each(['never', 'before the read is sent', 'while it runs', 'after it'])(
  'expireAll after a mutation sends one read for all tabs; the server echoes the change %s',
  async (when) => {
    const { tabs, echo, channels, clock, serve, truth } = await listeningTabs()
    const [{ controller, todos }, b] = tabs
    const saving = controller.fetch(todos.partialUpdate, { id: 1 }, { title: 'New' })
    await serve(1)
    await saving
    clock.advance(5)
    const { requests } = truth
    const echoIf = async (now: string) => {
      if (when === now) echo('New')
      channels.deliverAll()
      await settle()
      clock.advance(5)
    }
    await echoIf('before the read is sent')
    controller.expireAll(todos.getList)
    channels.deliverAll()
    await settle()
    await echoIf('while it runs')
    await serve(1)
    channels.deliverAll()
    await echoIf('after it')
    clock.advance(50)
    await serve(2)
    await serve(1)
    channels.deliverAll()
    expect([truth.requests - requests, b.titles()[0], b.status()]).toEqual([1, [1, 'New'], 'Valid'])
  },
)
