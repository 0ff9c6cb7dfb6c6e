import {
  changeIssue,
  getLabels,
  issuePriorities,
  issueStates,
  moveIssue,
  userResource,
} from '@selfsame/demo-shared/application'
import type { Choice, Issue } from '@selfsame/demo-shared/application'
import { useController, useDLE } from '@selfsame/react'

/** The fields of an issue. Each change is shown at once, and taken back if the server refuses. */
export function IssueFields({ issue }: { readonly issue: Issue }) {
  const controller = useController()
  const { data: users = [] } = useDLE(userResource.getList)
  const { data: labels = [] } = useDLE(getLabels)
  const chosen = issue.labels.map(({ id }) => id)
  const toggle = (id: number) =>
    changeIssue(controller, issue, {
      labels: chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].toSorted(),
    })
  const people = users.map(({ id, name }) => ({ value: String(id), name, icon: 'user' }))
  return (
    <>
      <Field
        label="State"
        value={issue.state}
        choices={issueStates}
        onChange={(state) => moveIssue(controller, issue, state)}
      />
      <Field
        label="Priority"
        value={issue.priority}
        choices={issuePriorities}
        onChange={(priority) => void changeIssue(controller, issue, { priority })}
      />
      <Field
        label="Assignee"
        value={String(issue.assignee?.id ?? '')}
        choices={[{ value: '', name: 'Nobody', icon: 'user' }, ...people]}
        onChange={(id) => void changeIssue(controller, issue, { assignee: id === '' ? null : Number(id) })}
      />
      <fieldset className="label-choice">
        <legend>Labels</legend>
        {labels.map(({ id, name, color }) => (
          <label key={id} className="label" data-color={color}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => void toggle(id)} />
            {name}
          </label>
        ))}
      </fieldset>
    </>
  )
}

interface FieldProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: readonly Choice<Value>[]
  readonly onChange: (value: Value) => void
}

function Field<Value extends string>({ label, value, choices, onChange }: FieldProps<Value>) {
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  )
}
