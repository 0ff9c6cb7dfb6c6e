import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Locator } from 'playwright'
import { settled, type Stage, type Window } from './stage.js'

const anchor = 'Anchor alarm does not ring while music plays'
const checklist = 'A checklist before casting off'
const chart = 'Chart stays blank after the phone wakes up'

/**
 * Tests the tracker: the board, the list, an issue, people, and the keyboard. Called within a suite of the application. What
 * does not depend on the size of the window is tested in the large one.
 */
export function describeTracker(stageNow: () => Stage, window: Window): void {
  const isPhone = window.name === 'phone'
  const card = (column: string, title: string): Locator =>
    stageNow().list(column).getByRole('listitem').filter({ hasText: title })

  test('moves an issue by hand and by keyboard, at once, and undoes it', async () => {
    const stage = stageNow()
    const { page } = stage
    await stage.visit('/', 'Board')
    await card('Todo', anchor).waitFor()
    const notice = page.locator('.toast')
    expect(await notice.evaluate((element) => getComputedStyle(element).opacity)).toBe('0')
    const release = await stage.hold('PATCH', /\/issue\/28/)
    if (isPhone) {
      await card('Todo', anchor).getByRole('link').focus()
      await page.keyboard.press('Shift+ArrowRight')
    } else await drag(stage, card('Todo', anchor), stage.main.getByRole('region', { name: 'In progress' }))
    await card('In progress', anchor).waitFor()
    await stage.notice('Moved to In progress.')
    expect((await stage.rest.get<{ state: string }>('/issue/28')).state).toBe('todo')
    expect(await card('Todo', anchor).count()).toBe(0)
    release()
    await expect
      .poll(async () => (await stage.rest.get<{ state: string }>('/issue/28')).state)
      .toBe('in-progress')

    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await card('Todo', anchor).waitFor()
    await expect.poll(async () => (await stage.rest.get<{ state: string }>('/issue/28')).state).toBe('todo')

    await card('Todo', anchor).getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await card('Backlog', anchor).waitFor()
    await expect.poll(() => focused(stage)).toBe(anchor)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(stage)).not.toBe(anchor)
    expect(await stage.overflows()).toBe(false)
  })

  test('shows an error in the place of the board, and moves nothing beside it', async () => {
    const stage = stageNow()
    const placeOf = async (locator: Locator) => {
      const { y, height } = (await locator.boundingBox())!
      return { y, height, heading: await stage.main.getByRole('heading', { level: 1 }).boundingBox() }
    }
    const release = await stage.hold('GET', /\/issue(\?|$)/)
    await stage.rest.turnKnob({ route: 'GET /issue', status: 503, times: 1 })
    // What a board of 100rem is wider by than another screen.
    if (!isPhone) await stage.page.setViewportSize({ width: 1600, height: 800 })
    await stage.visit('/', 'Board')
    const loading = await placeOf(stage.main.getByRole('status', { name: 'Loading' }))
    release()
    const problem = stage.main.getByRole('alert')
    await problem.waitFor()
    expect(await placeOf(stage.main.locator('.board-failed'))).toEqual(loading)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await card('Todo', anchor).waitFor()
    expect(await stage.shift()).toBe(0)
    await stage.page.setViewportSize(window.viewport)
    stage.takeProvoked(/503/)
  })

  test('moves nothing when the labels arrive after their issue', async () => {
    const stage = stageNow()
    const release = await stage.hold('GET', /\/label/)
    await stage.visit('/issues/19', chart)
    await stage.button('Delete').waitFor()
    release()
    await stage.main.getByRole('checkbox', { name: 'docs' }).waitFor()
    expect(await stage.shift()).toBe(0)
  })

  test('moves an issue by a finger that rests on it', async () => {
    const stage = stageNow()
    const { page } = stage
    await stage.visit('/', 'Board')
    await card('Backlog', checklist).waitFor()
    const finger = await touch(stage)
    await finger.down(card('Backlog', checklist))
    await page.locator('.ghost').waitFor()
    await finger.moveOver(stage.main.getByRole('region', { name: 'Todo' }))
    // The finger drags, so the board does not scroll.
    expect(await page.locator('.board').evaluate((element) => element.scrollLeft)).toBe(0)
    await finger.up()
    await card('Todo', checklist).waitFor()
    await stage.notice('Moved to Todo.')
    expect(await page.locator('.ghost').count()).toBe(0)
    // The finger that dropped it opened nothing.
    await stage.heading('Board')
  })

  test('fades between screens in a moment, and not where less motion is wanted', async () => {
    const stage = stageNow()
    const { page } = stage
    await page.addInitScript(watchTransitions)
    const transitions = () => page.evaluate(() => (window as unknown as Watched).transitions)
    /** From the list to an issue, and back by its crumb. */
    const walk = async () => {
      await stage.link(anchor).click()
      await stage.heading(anchor)
      await stage.main.locator('.crumbs a').click()
      await stage.heading('Issues')
      await stage.link(anchor).waitFor()
    }
    await stage.visit('/issues', 'Issues')
    await walk()
    expect((await transitions()).started).toBe(2)
    // On a busy machine some show no picture.
    await expect
      .poll(async () => {
        await stage.navigate('People')
        await stage.navigate('Issues')
        return (await transitions()).longest
      })
      .toBe(140)
    const { started } = await transitions()
    await page.goBack()
    await stage.heading('People')
    await page.goForward()
    await stage.heading('Issues')
    await stage.main.getByRole('combobox', { name: 'State' }).selectOption('Todo')
    await expect.poll(() => page.url()).toContain('state=todo')
    expect((await transitions()).started).toBe(started)

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await walk()
    expect((await transitions()).started).toBe(started)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  })

  test('loses no click while the screen changes', async () => {
    const stage = stageNow()
    const { page } = stage
    await page.addInitScript(watchTransitions)
    await stage.visit('/issues', 'Issues')
    const board = stage.banner.getByRole('link', { name: 'Board', exact: true })
    // Until the browser has its second picture, the root of the document gets each click.
    const held = await page.evaluate(() => (window as unknown as Watched).hold())
    await board.click()
    await stage.heading('Board')
    const people = (await stage.banner.getByRole('link', { name: 'People', exact: true }).boundingBox())!
    await page.mouse.click(people.x + 20, people.y + 10)
    await stage.heading('People')
    expect(held).toBe(true)
    await page.goBack()
    await stage.heading('Board')
  })

  test.skipIf(isPhone)('takes a move back that the server refuses, and says so', async () => {
    const stage = stageNow()
    await stage.visit('/', 'Board')
    await card('Todo', anchor).waitFor()
    await stage.rest.turnKnob({ route: 'PATCH /issue/:id', status: 422, times: 1 })
    const release = await stage.hold('PATCH', /\/issue\/28/)
    await card('Todo', anchor).getByRole('link').focus()
    await stage.page.keyboard.press('Shift+ArrowRight')
    await card('In progress', anchor).waitFor()
    release()
    await stage.notice('Not saved. Correct your input and try again.')
    await card('Todo', anchor).waitFor()
    expect(await card('In progress', anchor).count()).toBe(0)
    stage.takeProvoked(/422/)
    await stage.page.reload()
    await card('Todo', anchor).waitFor()
    await expect.poll(() => stage.page.getByText(/waiting to be sent/).count()).toBe(0)
  })

  test.skipIf(isPhone)(
    'shows what others do, who views an issue, and a new name on every screen',
    async () => {
      const stage = stageNow()
      await stage.signIn(2)
      await stage.visit('/', 'Board')
      await card('Todo', anchor).waitFor()
      await stage.forgetRequests()
      await live(stage)
      await stage.rest.send('PATCH', '/issue/28', { state: 'done' }, 3)
      await card('Done', anchor).waitFor()
      await stage.rest.send('POST', '/issue', { title: 'Made by another', state: 'todo' }, 3)
      await card('Todo', 'Made by another').waitFor()
      await stage.rest.send('DELETE', '/issue/19')
      await expect.poll(() => card('In progress', chart).count()).toBe(0)
      await stage.rest.send('POST', '/issue/19/restore')
      await card('In progress', chart).waitFor()
      expect((await settled(stage)).filter((request) => request.startsWith('GET'))).toEqual([])

      await card('Done', anchor).getByRole('link').click()
      await stage.heading(anchor)
      const activity = stage.list('Activity').getByRole('listitem')
      await activity.first().getByText('moved this from Todo to Done').waitFor()
      await stage.rest.send('POST', '/activity', { issue: 28, body: 'Heard in the harbour.' }, 3)
      await stage.list('Activity').getByText('Heard in the harbour.').waitFor()
      const { name } = await stage.rest.get<{ name: string }>('/user/3')
      const visitor = await enter(stage, 28, 3)
      await stage.main.getByText('Also here:').waitFor()
      await stage.main.locator('.viewers').getByRole('img', { name }).waitFor()
      visitor.close()
      await expect.poll(() => stage.main.getByText('Also here:').count()).toBe(0)

      await stage.navigate('People')
      await stage.button(`Rename ${name}`).click()
      await stage.forgetRequests()
      await stage.field(`New name of ${name}`).fill('Captain Nemo')
      await stage.page.keyboard.press('Enter')
      await stage.notice('Renamed everywhere.')
      await stage.page.goBack()
      await stage.heading(anchor)
      await stage.list('Activity').getByText('Captain Nemo').first().waitFor()
      await stage.navigate('Board')
      await stage.main.getByRole('img', { name: 'Captain Nemo' }).first().waitFor()
      // What was not connected meanwhile is fetched.
      expect((await settled(stage)).toSorted()).toEqual([
        'GET /activity',
        'GET /issue/28/presence',
        'PATCH /user/3',
      ])
      await stage.rest.send('PATCH', '/user/3', { name: 'Somebody' })
      await stage.main.getByRole('img', { name: 'Somebody' }).first().waitFor()
    },
  )

  test.skipIf(isPhone)('filters and orders issues by the address, which Back restores', async () => {
    const stage = stageNow()
    const { page } = stage
    const rows = stage.list('Issues').getByRole('listitem')
    const select = (name: string) => stage.main.getByRole('combobox', { name, exact: true })
    await stage.visit('/issues', 'Issues')
    await expect.poll(() => rows.count()).toBe(72)
    await stage.forgetRequests()
    const release = await stage.hold('GET', /[?&]state=todo/)
    await select('State').selectOption('Todo')
    await expect.poll(() => stage.list('Issues').getAttribute('aria-busy')).toBe('true')
    expect(await rows.count()).toBe(72)
    release()
    await expect.poll(() => rows.count()).toBe(15)
    await select('Order').selectOption('Priority')
    await expect.poll(() => rows.first().getByRole('link').textContent()).toBe(anchor)
    await stage.main.getByRole('searchbox').fill('alarm')
    await expect.poll(() => rows.count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?state=todo&order=priority&q=alarm')
    expect(await settled(stage)).toEqual(['GET /issue', 'GET /issue “alarm”'])
    await page.reload()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await select('State').inputValue()).toBe('todo')
    await stage.main.getByRole('searchbox').fill('no such thing')
    await stage.main.getByText('No issue matches these filters.').waitFor()
    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).toBe('?state=todo')
    await expect.poll(() => rows.count()).toBe(15)
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(72)
    expect(await select('State').inputValue()).toBe('')
  })

  test('edits an issue in its place, comments on it, deletes it, and undoes that', async () => {
    const stage = stageNow()
    const { page } = stage
    await stage.signIn(2)
    const { name } = await stage.rest.get<{ name: string }>('/user/2')
    await stage.visit('/issues/19', chart)
    await stage.list('Activity').getByRole('listitem').first().waitFor()
    await stage.button('Edit').click()
    await stage.field('Title').fill('The chart stays blank')
    await page.keyboard.press('Control+Enter')
    await stage.heading('The chart stays blank')
    await stage.list('Activity').getByText(`${name} renamed this`).waitFor()
    await stage.main.getByRole('combobox', { name: 'Assignee' }).selectOption(name)
    await stage.main.getByRole('checkbox', { name: 'docs' }).check()
    await stage.list('Activity').getByText(`${name} changed the labels`).waitFor()
    const issue = await stage.rest.get<{ assignee: { id: number }; labels: { id: number }[] }>('/issue/19')
    expect([issue.assignee.id, issue.labels.map(({ id }) => id)]).toEqual([2, [1, 6, 8]])

    await stage.field('Comment').fill('Seen again.')
    await stage.button('Send').click()
    await stage.list('Activity').getByText('Seen again.').waitFor()
    await expect.poll(() => stage.list('Activity').getByText('Seen again.').count()).toBe(1)
    expect(await stage.field('Comment').inputValue()).toBe('')
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4000)
        return stage.main.getByText('That is all.').count()
      })
      .toBe(1)
    await stage.list('Activity').getByText('opened this issue').waitFor()

    await stage.button('Delete').click()
    await stage.heading('Issues')
    await stage.notice('Deleted.')
    await expect.poll(() => stage.list('Issues').getByRole('listitem').count()).toBe(71)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => stage.list('Issues').getByRole('listitem').count()).toBe(72)
    await stage.link('The chart stays blank').waitFor()
  })

  test.skipIf(isPhone)('is used by the keyboard: commands, search, a new issue, help', async () => {
    const stage = stageNow()
    const { page } = stage
    await stage.visit('/', 'Board')
    await card('Todo', anchor).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await stage.axe()).toEqual([])
    await page.keyboard.press('Escape')
    // Not by its role: it loses that before it tells that it is closed.
    await page.locator('dialog').waitFor({ state: 'detached' })

    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    await dialog.waitFor()
    expect(await stage.axe()).toEqual([])
    await stage.picture('new-issue')
    await page.keyboard.type('Typed without a mouse')
    await page.keyboard.press('Enter')
    await card('Backlog', 'Typed without a mouse').waitFor()
    await stage.notice('Created #73.')
    await expect.poll(() => card('Backlog', 'Typed without a mouse').count()).toBe(1)

    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await stage.heading('Issues')
    await page.keyboard.press('/')
    await page.keyboard.type('breakwater')
    await expect.poll(() => stage.list('Issues').getByRole('listitem').count()).toBe(1)

    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.getByRole('combobox').waitFor()
    await page.keyboard.type('anchor alarm')
    await palette.getByRole('option', { selected: true }).getByText(anchor).waitFor()
    expect(await stage.axe()).toEqual([])
    await stage.picture('palette')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await stage.heading(anchor)
  })

  test.runIf(isPhone).each([
    ['/issues/28', anchor, 'Delete'],
    ['/issues', 'Issues', 'New issue'],
  ])('goes by Tab through %s as it is read, from top to bottom', async (path, heading, button) => {
    const stage = stageNow()
    const { page } = stage
    await stage.visit(path, heading)
    await stage.main.getByRole('button', { name: button }).waitFor()
    await stage.main.evaluate((main) => {
      main.tabIndex = -1
      main.focus()
    })
    const bottoms: number[] = []
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate(() => {
        const { activeElement: element } = document
        const isInMain = element?.closest('main') != null
        return isInMain ? element.getBoundingClientRect().bottom + scrollY : undefined
      })
      if (seen !== undefined) bottoms.push(seen)
    }
    expect(bottoms.length).toBeGreaterThan(5)
    // What stands beside another in a row may be a little higher.
    const rising = bottoms.filter((bottom, index) => index === 0 || bottom > (bottoms[index - 1] ?? 0) - 30)
    expect(rising).toEqual(bottoms)
  })

  test.skipIf(isPhone)(
    'keeps what was changed without a network over a reload, and sends it later',
    async () => {
      const stage = stageNow()
      const { page } = stage
      await stage.visit('/', 'Board')
      await card('Todo', anchor).waitFor()
      await page.route(/\/issue\/28/, (route) => route.abort('internetdisconnected'))
      stage.takeProvoked(/ERR_INTERNET_DISCONNECTED/)
      await card('Todo', anchor).getByRole('link').focus()
      await page.keyboard.press('Shift+ArrowRight')
      await card('In progress', anchor).waitFor()
      await page.getByText('1 change is waiting to be sent.').waitFor()
      expect((await stage.rest.get<{ state: string }>('/issue/28')).state).toBe('todo')
      await page.reload()
      await card('In progress', anchor).waitFor()
      await page.unroute(/\/issue\/28/)
      await expect
        .poll(async () => (await stage.rest.get<{ state: string }>('/issue/28')).state, { timeout: 40_000 })
        .toBe('in-progress')
      await expect.poll(() => page.getByText(/waiting to be sent/).count()).toBe(0)
      await card('In progress', anchor).waitFor()
    },
  )

  test.skipIf(isPhone)('asks for no more than a screen needs', async () => {
    const stage = stageNow()
    await stage.visit('/sign-in', 'Sign in')
    const asked = async (open: () => Promise<void>) => {
      await stage.forgetRequests()
      await open()
      return (await settled(stage)).toSorted()
    }
    const board = async () => {
      await stage.navigate('Board')
      await card('Todo', anchor).waitFor()
    }
    expect(await asked(board)).toEqual(['GET /issue', 'GET /label', 'GET /user'])
    expect(await asked(() => stage.navigate('Issues'))).toEqual([])
    const issue = async () => {
      await stage.link(anchor).click()
      await stage.heading(anchor)
      await stage.list('Activity').getByRole('listitem').first().waitFor()
    }
    expect(await asked(issue)).toEqual(['GET /activity'])
    expect(await asked(() => stage.navigate('People'))).toEqual([])
    expect(await asked(board)).toEqual([])
    expect((await asked(issue)).filter(isNoCatchingUp)).toEqual([])
  })
}

interface Watched {
  transitions: { started: number; /** The longest animation of all, in milliseconds. */ longest: number }
  /** Lets each change of a transition last two seconds longer. */
  hold: () => true
}

/** Runs in the page: watches view transitions. */
function watchTransitions(): void {
  const page = window as unknown as Watched
  const { startViewTransition } = document
  let isHeld = false
  page.transitions = { started: 0, longest: 0 }
  page.hold = () => (isHeld = true)
  document.startViewTransition = (change) => {
    page.transitions.started++
    const transition = startViewTransition.call(document, async () => {
      await (change as () => Promise<void>)()
      if (isHeld) await new Promise((resolve) => setTimeout(resolve, 2000))
    })
    const measure = () => {
      for (const { effect } of document.getAnimations()) {
        const isOfTransition = (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition')
        const duration = Number(effect?.getTiming().duration)
        if (isOfTransition) page.transitions.longest = Math.max(page.transitions.longest, duration)
      }
    }
    transition.ready.then(measure, () => {})
    return transition
  }
}

/** Nobody listened to what happened to an issue that was left, so it may be asked for again. */
const isNoCatchingUp = (request: string) => !/^GET \/(activity|issue\/\d+\/presence)$/.test(request)

/** Drags a card by the mouse into a column. */
async function drag({ page }: Stage, card: Locator, column: Locator): Promise<void> {
  const from = await card.boundingBox()
  const to = await column.boundingBox()
  if (from === null || to === null) throw new Error('The card or the column is not in the page.')
  await page.mouse.move(from.x + 60, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 90, { steps: 6 })
  // Its place among the others is marked.
  await column.locator('.before-place, .after-place').waitFor()
  await page.mouse.up()
}

/** A finger on the screen, as the browser gets it from the system: it decides itself what scrolls. */
async function touch({ page }: Stage) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
  let at = { x: 0, y: 0 }
  const boxOf = async (locator: Locator) => {
    const box = await locator.boundingBox()
    if (box === null) throw new Error('There is nothing to touch.')
    return box
  }
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd') =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [at] })
  return {
    down: async (card: Locator) => {
      await card.scrollIntoViewIfNeeded()
      const { x, y } = await boxOf(card)
      at = { x: x + 40, y: y + 12 }
      await send('touchStart')
    },
    /** Moves sideways, in steps, as a finger does. */
    moveOver: async (column: Locator) => {
      const from = at.x
      const to = (await boxOf(column)).x + 40
      for (let step = 1; step <= 6; step++) {
        at = { ...at, x: from + ((to - from) * step) / 6 }
        await send('touchMove')
      }
    },
    up: () => send('touchEnd'),
  }
}

/** The text of the element that has the focus. */
function focused({ page }: Stage): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.textContent?.trim())
}

/** Waits until the page hears of changes: it shows one that is of no consequence. */
async function live(stage: Stage): Promise<void> {
  await expect
    .poll(async () => {
      await stage.rest.send('PATCH', '/issue/40', { title: 'Alarm that is heard' })
      return stage.main.getByText('Alarm that is heard').count()
    })
    .toBe(1)
}

/** Opens an issue as another user. */
async function enter(stage: Stage, issue: number, user: number): Promise<WebSocket> {
  const socket = new WebSocket(`${stage.rest.url.replace('http', 'ws')}/live`)
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ type: 'subscribe', channel: `presence:${issue}`, user }))
  return socket
}
