import { Controller } from '@selfsame/core'
import { expect, test, vi } from 'vitest'
import { fieldsOf, hasLabel, selectsOf, toggleLabel } from './application/tracker/fields.js'
import { Issue, Label } from './issue.js'
import { User } from './user.js'

const users = [User.fromJS({ id: 3, name: 'Maja' })]
const labels = [2, 9, 10].map((id) => Label.fromJS({ id, name: `Label ${id}` }))
const [two, , ten] = labels as [Label, Label, Label]
const issue = Issue.fromJS({ id: 5, labels: labels.slice(0, 2) })

/** A Controller whose mutations do nothing, and their bodies. */
function createStage() {
  const controller = new Controller()
  const fetch = vi.spyOn(controller, 'fetch').mockResolvedValue({} as never)
  return { controller, bodies: () => fetch.mock.calls.map(([, , body]) => body as unknown) }
}

test('a label is given and taken, in the order of their ids', () => {
  const { controller, bodies } = createStage()
  toggleLabel(controller, issue, ten)
  toggleLabel(controller, issue, two)
  expect(bodies()).toEqual([{ labels: [2, 9, 10] }, { labels: [9] }])
  expect(labels.map((label) => hasLabel(issue, label))).toEqual([true, true, false])
})

test('a field offers its values, and saves one of them only', () => {
  const { controller, bodies } = createStage()
  const [, priority, assignee] = fieldsOf(controller, issue, users)
  priority?.choose('high')
  priority?.choose('no such priority')
  assignee?.choose('3')
  assignee?.choose('')
  expect(bodies()).toEqual([{ priority: 'high' }, { assignee: 3 }, { assignee: null }])
  expect(assignee?.options.map(({ name }) => name)).toEqual(['Nobody', 'Maja'])
})

test('states and orders can be chosen where an order is', () => {
  const params = (order: '' | undefined) =>
    selectsOf({ label: 9 }, order, users, labels).map(({ param }) => param)
  expect(params(undefined)).toEqual(['assignee', 'label'])
  expect(params('')).toEqual(['state', 'assignee', 'label', 'order'])
  expect(selectsOf({ label: 9 }, '').map(({ value }) => value)).toEqual(['', '', '9', ''])
})
