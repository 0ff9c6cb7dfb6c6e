import { click, rowsOf, type, until, write } from './act.js'
import { answerOf, send } from './server.js'
import type { Stage } from './stage.js'

/** What both sides do, and what is counted of it. */
export interface Step {
  readonly title: string
  readonly act: (stage: Stage) => Promise<unknown>
  /** Changes something elsewhere, once for both sides, which `act` waits for. */
  readonly elsewhere?: () => Promise<unknown>
  /** Uses a side before the step, without being counted. */
  readonly prepare?: (stage: Stage) => Promise<unknown>
}

/** What is written. It tells the records of the script from others, so that they can be put back. */
export const texts = {
  edited: 'Edited here',
  refused: 'Refused',
  created: 'Created here',
  editedElsewhere: 'Edited elsewhere',
  createdElsewhere: 'Created elsewhere',
} as const

/** The article that the script edits, by its place in the list. */
export const editedAt = 3

const refusal = 'PATCH /article/:id'

/**
 * The steps, in order. Those of one group are made by one side, then by the other: a created article would be in the
 * refetched list of the other side.
 */
export const groups: readonly (readonly Step[])[] = [
  [
    {
      title: 'open the page',
      act: (stage) => {
        stage.mount()
        return until(stage, () => rowsOf(stage).length > 0)
      },
    },
  ],
  [{ title: 'open an article', act: (stage) => open(stage, editedAt) }],
  [
    {
      title: 'open another, and the first again',
      act: async (stage) => {
        await open(stage, 5)
        await open(stage, editedAt)
      },
    },
  ],
  [{ title: 'search, typing 7 letters', act: search }],
  [
    {
      title: 'clear the search',
      act: async (stage) => {
        const { length } = rowsOf(stage)
        await write(stage, '[type=search]', '')
        await until(stage, () => rowsOf(stage).length > length)
      },
    },
  ],
  [{ title: 'filter by an author', act: (stage) => filter(stage, 2) }],
  [{ title: 'show all authors again', act: (stage) => filter(stage, 0) }],
  [
    {
      title: 'edit the title',
      act: async (stage) => {
        await saveTitle(stage, texts.edited)
        await shows(stage, texts.edited)
      },
    },
  ],
  [
    {
      title: 'edit, and be refused',
      elsewhere: () => send('POST /_knob', { route: refusal, status: 503, times: 2 }),
      act: async (stage) => {
        await saveTitle(stage, texts.refused)
        await until(stage, () => stage.side.querySelector('[role=alert]') !== null)
        await shows(stage, texts.edited)
      },
    },
  ],
  [
    { title: 'create an article', act: create },
    {
      title: 'delete it',
      act: async (stage) => {
        await click(stage, 'button', 'Delete')
        await until(stage, () => !rowsOf(stage).some((row) => row.textContent.includes(texts.created)))
      },
    },
  ],
  [
    {
      title: 'another client edits the article shown',
      prepare: listen,
      elsewhere: () => patchEdited({ title: texts.editedElsewhere }),
      act: (stage) => shows(stage, texts.editedElsewhere),
    },
  ],
  [
    {
      title: 'another client creates an article',
      elsewhere: () => send('POST /article', { title: texts.createdElsewhere, content: '' }),
      act: (stage) => until(stage, () => rowWith(stage, texts.createdElsewhere) !== undefined),
    },
  ],
]

/** Puts back what a script has changed on the server, also one that was stopped. @param before - the article it edited */
export async function putBack(before: EditedArticle | undefined): Promise<void> {
  const settings = await answerOf<readonly { readonly route: string }[]>('GET /_knob')
  if (settings.some(({ route }) => route === refusal))
    await send(`DELETE /_knob?route=${encodeURIComponent(refusal)}`)
  if (before !== undefined) {
    const { id, title, content } = before
    await send(`PATCH /article/${id}`, { title, content })
  }
  const left = await answerOf<readonly EditedArticle[]>('GET /article?q=Created')
  const made = new Set<string>([texts.created, texts.createdElsewhere])
  for (const { id, title } of left) if (made.has(title)) await send(`DELETE /article/${id}`)
}

export interface EditedArticle {
  readonly id: number
  readonly title: string
  readonly content: string
}

/** The article that the script is about to edit, as the server has it. */
export async function readEdited(): Promise<EditedArticle> {
  const list = await answerOf<readonly { readonly id: number }[]>('GET /article')
  return answerOf<EditedArticle>(`GET /article/${list[editedAt]?.id}`)
}

async function patchEdited(fields: Partial<EditedArticle>): Promise<void> {
  const { id } = await readEdited()
  await send(`PATCH /article/${id}`, fields)
}

async function open(stage: Stage, index: number): Promise<void> {
  const row = rowsOf(stage)[index]
  const title = row?.querySelector('span')?.textContent
  await click(stage, row)
  await until(stage, () => stage.side.querySelector('h3')?.textContent === title)
}

async function search(stage: Stage): Promise<void> {
  const { length } = rowsOf(stage)
  const title = rowsOf(stage)[editedAt]?.querySelector('span')?.textContent ?? ''
  await type(stage, '[type=search]', title.slice(0, 7))
  await until(stage, () => rowsOf(stage).length < length && !isOld(stage))
}

async function filter(stage: Stage, option: number): Promise<void> {
  const { length } = rowsOf(stage)
  const select = stage.side.querySelector<HTMLSelectElement>('.toolbar select')
  await write(stage, '.toolbar select', select?.options[option]?.value ?? '')
  await until(stage, () => rowsOf(stage).length !== length && !isOld(stage))
}

async function saveTitle(stage: Stage, title: string): Promise<void> {
  await click(stage, 'button', 'Edit')
  await type(stage, 'form input', title)
  await click(stage, 'button', 'Save')
}

async function create(stage: Stage): Promise<void> {
  await click(stage, 'button', 'New article')
  await type(stage, 'form input', texts.created)
  const select = stage.side.querySelector<HTMLSelectElement>('form select')
  await write(stage, 'form select', select?.options[1]?.value ?? '')
  await click(stage, 'button', 'Save')
  await shows(stage, texts.created)
}

/** Shows the edited article, and waits until the side hears of changes: one is made until it is shown. */
async function listen(stage: Stage): Promise<void> {
  await open(stage, editedAt)
  if (!stage.side.querySelector<HTMLInputElement>('[type=checkbox]')?.checked)
    await click(stage, stage.side.querySelector<HTMLElement>('[type=checkbox]'))
  for (let attempt = 1; attempt < 20; attempt++) {
    const content = `Somebody else is here too${'.'.repeat(attempt)}`
    await patchEdited({ content })
    const heard = until(stage, () => stage.side.querySelector('article')?.textContent.includes(content), 500)
    if (await heard.then(Boolean, () => stage.signal.throwIfAborted())) return
  }
  throw new Error('Changes of other clients do not arrive.')
}

/** Waits until the row and the details show a title. */
function shows(stage: Stage, title: string): Promise<unknown> {
  return until(
    stage,
    () => stage.side.querySelector('h3')?.textContent === title && rowWith(stage, title) !== undefined,
  )
}

function rowWith(stage: Stage, title: string): HTMLElement | undefined {
  return rowsOf(stage).find((row) => row.querySelector('span')?.textContent === title)
}

function isOld({ side }: Stage): boolean {
  return side.querySelector('.articles')?.getAttribute('aria-busy') === 'true'
}
