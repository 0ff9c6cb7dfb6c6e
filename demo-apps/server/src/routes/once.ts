import type { Context } from 'hono'

const most = 1_000

/** Does what requests with one `Idempotency-Key` ask for once, and gives the later ones the first answer. */
export class Once {
  readonly #answers = new Map<string, Promise<unknown>>()

  async run<Answer>(c: Context, action: () => Promise<Answer>): Promise<Answer> {
    const key = c.req.header('Idempotency-Key')
    if (key === undefined) return action()
    const known = this.#answers.get(key) as Promise<Answer> | undefined
    if (known !== undefined) return known
    const answer = action()
    this.#answers.set(key, answer)
    // What failed did nothing, so it may be tried again.
    answer.catch(() => this.#answers.delete(key))
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > most && oldest !== undefined) this.#answers.delete(oldest)
    return answer
  }
}
