import { Controller, Endpoint, Entity } from '../index.js'
import type { EndpointLike, StreamSink } from '../index.js'
import { connect } from '../live.js'
import { optimistic } from '../optimistic.js'
import type { Random } from './testing-random.js'

type Name = 'a' | 'b' | 'c' | 'derived'
type Values = Record<Name, number>
type Part = Partial<Values>

/** Values are unique, so that each names the write that made it. 0 is the first value of each field. */
class Thing extends Entity {
  id = 0
  a = 0
  b = 0
  c = 0
  derived = 0
  version = 0
  static override key = 'Thing'
}

class VersionedThing extends Thing {
  static override version = 'version'
}

const names = ['a', 'b', 'c', 'derived'] as const
const args = { id: 1 }

/** How the server answers a mutation. */
type AnswerKind = 'full' | 'partial' | 'empty'

export interface RaceOptions {
  readonly isEarly: boolean
  readonly answers: AnswerKind
  /** `true` if the class names the field of its version. */
  readonly isVersioned: boolean
  /** `true` if the application also writes with `set`. */
  readonly sets: boolean
}

/** A request, from its sending to the delivery of its answer. */
interface Sent {
  readonly kind: 'read' | 'patch'
  /** Its place in the order of sending. */
  readonly place: number
  readonly body: Part
  readonly resolve: (response: unknown) => void
  readonly reject: (error: Error) => void
  /** What the server answers, once it handled the request. */
  answer: (() => void) | undefined
}

/** Who made a value: the server, another client, or a mutation of this one. */
interface Made {
  readonly by: 'other' | 'mine' | 'set'
  /** The place in the order in which the server handled. */
  readonly handled: number
  /** The place in the order of sending; 0 for others. */
  readonly sent: number
}

/** Why a Valid field may be older than what the client was told: nobody can know. */
export type Unknowable =
  /** The server handled two mutations in another order than they were sent, and their answers came in that order. */
  | 'handled in another order'
  /** A live message came after what is newer: it is the last that the client was told. */
  | 'late message'
  /** Two answers that ran beside each other brought two values, and the newer came with the older request. */
  | 'observed in another order'

export interface RaceResult {
  readonly steps: number
  /** How often the record was Stale in the end. */
  readonly stale: number
  /** The fields that are Valid, and older than what the client was told, by cause. */
  readonly older: Readonly<Record<Unknowable, number>>
  /** Own saved values that vanished at rest although the record is Valid. */
  readonly vanished: number
  /** Values of `set` that an answer of an earlier request replaced. */
  readonly undone: number
}

class Refusal extends Error {
  readonly status = 409
}

/** One record of a server that handles and answers requests in any order, and the client that shows it. */
export class Race {
  readonly #random: Random
  readonly #options: RaceOptions
  readonly #controller = new Controller()
  readonly #truth: Values = { a: 0, b: 0, c: 0, derived: 0 }
  #version = 0
  /** By field and value, who made it. */
  readonly #made = new Map<string, Made>()
  /** By field, the latest value that the client was told. */
  readonly #told: Record<Name, number>
  readonly #sent: Sent[] = []
  readonly #messages: (() => void)[] = []
  /** By field and value, what messages brought after something newer. */
  readonly #late = new Set<string>()
  readonly #schema: typeof Thing
  readonly #get: Endpoint
  readonly #patch: EndpointLike
  /** By field, a value that was set, and the number of requests sent before. */
  readonly #set = new Map<Name, { value: number; place: number }>()
  #values = 0
  #handled = 0
  #places = 0
  #steps = 0
  #sink: StreamSink | undefined
  readonly #disconnect: () => void

  constructor(random: Random, options: RaceOptions) {
    this.#random = random
    this.#options = options
    this.#told = { ...this.#truth }
    const schema = options.isVersioned ? VersionedThing : Thing
    this.#schema = schema
    const get = new Endpoint((_params: typeof args) => this.#send('read', {}), {
      name: 'get',
      schema,
      stream: (sink: StreamSink) => {
        this.#sink = sink
        return () => {}
      },
    })
    this.#get = get as never
    const early = optimistic((_snapshot, params: typeof args, body: Part) => ({ ...params, ...body }))
    this.#patch = new Endpoint((_params: typeof args, body: Part) => this.#send('patch', body), {
      name: 'patch',
      schema,
      sideEffect: true,
      ...(options.isEarly ? { getOptimisticResponse: early } : {}),
    }) as never
    this.#controller.setResponse(get, args, { id: 1, ...this.#truth, version: 0 })
    this.#disconnect = connect(this.#controller, get, args)
    for (const name of names) this.#made.set(`${name} 0`, { by: 'other', handled: 0, sent: 0 })
  }

  /** Runs some operations, delivers everything, and compares with the server. */
  async run(): Promise<RaceResult> {
    const operations = 3 + this.#random.below(5)
    for (let done = 0; done < operations; done++) {
      this.#operate()
      await settle()
      for (let turn = this.#random.below(4); turn > 0; turn--) await this.#pass()
    }
    while (this.#sent.length + this.#messages.length > 0) await this.#pass()
    const result = this.#judge()
    // What is Stale is fetched: then all is as on the server.
    void this.#controller.fetch(this.#get, args as never)
    await settle()
    while (this.#sent.length > 0) await this.#pass()
    const shown = this.#shown()
    for (const name of names)
      if (shown[name] !== this.#truth[name])
        throw new Error(
          `After a refetch ${name} is ${shown[name]}, but ${this.#truth[name]} on the server.\n${this.#log.join('\n')}`,
        )
    this.#disconnect()
    this.#controller.dispose()
    return result
  }

  readonly #log: string[] = []

  #shown(): Values {
    const { data } = this.#controller.read(this.#get, args as never) as { data?: Values }
    if (data === undefined) throw new Error('The record is gone.')
    return data
  }

  // --- the client ---

  #operate(): void {
    this.#steps++
    const kind = this.#random.below(this.#options.sets ? 9 : 8)
    if (kind < 4) {
      const body: Part = {}
      for (let count = 1 + this.#random.below(2); count > 0; count--)
        body[this.#random.pick(['a', 'b', 'c'] as const)] = ++this.#values
      this.#controller.fetch(this.#patch, ...([args, body] as never[])).catch(() => {})
      this.#log.push(`${this.#places}: PATCH ${JSON.stringify(body)}`)
    } else if (kind < 6) {
      this.#controller.fetch(this.#get, args as never).catch(() => {})
      this.#log.push(`${this.#places}: GET`)
    } else if (kind < 8) this.#writeElsewhere()
    else {
      const name = this.#random.pick(['a', 'b', 'c'] as const)
      const value = ++this.#values
      this.#made.set(`${name} ${value}`, { by: 'set', handled: 0, sent: 0 })
      this.#set.set(name, { value, place: this.#places })
      this.#controller.set(this.#schema, args, { [name]: value })
      this.#log.push(`set ${name} ${value}`)
    }
  }

  #send(kind: Sent['kind'], body: Part): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#sent.push({ kind, place: ++this.#places, body, resolve, reject, answer: undefined })
    })
  }

  // --- the server ---

  /** Another client writes, and the server tells this one. */
  #writeElsewhere(): void {
    const part: Part = { [this.#random.pick(['a', 'b', 'c'] as const)]: ++this.#values }
    this.#write(part, 'other', 0)
    const message = { ...(this.#random.below(2) === 0 ? { ...this.#truth } : part), version: this.#version }
    this.#log.push(`elsewhere ${JSON.stringify(part)}`)
    this.#messages.push(() => {
      this.#log.push(`message ${JSON.stringify(message)}`)
      for (const name of names) {
        const value = message[name]
        const isLate =
          value !== undefined && this.#handledAt(name, value) < this.#handledAt(name, this.#told[name])
        if (isLate) this.#late.add(`${name} ${value}`)
      }
      this.#tell(message, Infinity)
      this.#sink?.set(this.#schema, args, message)
    })
  }

  #write(part: Part, by: Made['by'], sent: number): void {
    this.#handled++
    const all: Part = { ...part }
    // Half of the writes of a field change another one.
    if (part.a !== undefined && this.#random.below(2) === 0) all.derived = ++this.#values
    for (const [name, value] of Object.entries(all) as [Name, number][]) {
      this.#truth[name] = value
      const isDerived = name === 'derived'
      this.#made.set(`${name} ${value}`, {
        by: isDerived ? 'other' : by,
        handled: this.#handled,
        sent: isDerived ? 0 : sent,
      })
    }
    this.#version++
  }

  /** Handles a request, or delivers an answer or a message. */
  async #pass(): Promise<void> {
    const ready: (() => void)[] = this.#sent.map((sent) => sent.answer ?? (() => this.#handle(sent)))
    const [message] = this.#messages
    if (message !== undefined)
      ready.push(() => {
        this.#messages.shift()
        message()
      })
    if (ready.length === 0) return
    this.#steps++
    this.#random.pick(ready)()
    await settle()
  }

  #handle(sent: Sent): void {
    const { kind, body, place } = sent
    const end = (run: () => void) => {
      sent.answer = () => {
        this.#sent.splice(this.#sent.indexOf(sent), 1)
        run()
      }
    }
    const outcome = kind === 'read' ? 99 : this.#random.below(100)
    if (outcome < 6) {
      end(() => sent.reject(new Refusal('refused')))
      this.#log.push(`handle ${place}, refused`)
      return
    }
    if (kind === 'patch') this.#write(body, 'mine', place)
    this.#log.push(`handle ${place}: ${JSON.stringify(this.#truth)}`)
    if (outcome < 9) {
      end(() => sent.reject(new Error('lost')))
      return
    }
    const answer = this.#answerTo(sent)
    end(() => {
      this.#log.push(`answer ${place}: ${JSON.stringify(answer)}`)
      this.#tell(answer ?? body, place)
      sent.resolve(answer)
    })
  }

  #answerTo({ kind, body }: Sent): (Part & { id: number; version: number }) | null {
    const whole = { id: 1, ...this.#truth, version: this.#version }
    const { answers } = this.#options
    if (kind === 'read' || answers === 'full') return whole
    return answers === 'empty' ? null : { id: 1, ...body, derived: whole.derived, version: this.#version }
  }

  #tell(values: Part, place: number): void {
    for (const name of names) {
      const value = values[name]
      if (value !== undefined && this.#handledAt(name, value) > this.#handledAt(name, this.#told[name]))
        this.#told[name] = value
      const set = this.#set.get(name)
      // What a later request or a message brings may replace a set value.
      if (set !== undefined && place > set.place) this.#set.delete(name)
    }
  }

  #handledAt(name: Name, value: number): number {
    return this.#made.get(`${name} ${value}`)?.handled ?? 0
  }

  // --- the judgment ---

  #judge(): RaceResult {
    const { status } = this.#controller.read(this.#get, args as never)
    const shown = this.#shown()
    const older = noneOlder()
    let [vanished, undone] = [0, 0]
    for (const name of names) {
      const [value, told] = [shown[name], this.#told[name]]
      const [is, newest] = [this.#made.get(`${name} ${value}`), this.#made.get(`${name} ${told}`)]
      const set = this.#set.get(name)
      if (set !== undefined) {
        if (set.value !== value && is?.by !== 'set') undone++
        continue
      }
      if (status !== 'Valid' || value === told || is === undefined || newest === undefined) continue
      if (is.by === 'set') continue
      if (is.by === 'mine' && newest.by === 'mine') older['handled in another order']++
      else if (this.#late.has(`${name} ${value}`)) older['late message']++
      else older['observed in another order']++
      if (newest.by === 'mine' && is.by !== 'mine' && !this.#late.has(`${name} ${value}`)) vanished++
    }
    return { steps: this.#steps, stale: status === 'Stale' ? 1 : 0, older, vanished, undone }
  }

  /** What happened, for messages. */
  get log(): readonly string[] {
    return this.#log
  }
}

export function noneOlder(): Record<Unknowable, number> {
  return { 'handled in another order': 0, 'late message': 0, 'observed in another order': 0 }
}

/** Waits for the promises of an answer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await undefined
}
