import { fieldsOf, getLabels, hasLabel, toggleLabel, userResource } from '@selfsame/demo-shared/application'
import type { Issue, IssueField } from '@selfsame/demo-shared/application'
import { useController, useDLE } from '@selfsame/react'

export function IssueFields({ issue }: { readonly issue: Issue }) {
  const controller = useController()
  const { data: users } = useDLE(userResource.getList)
  const { data: labels = [] } = useDLE(getLabels)
  return (
    <>
      {fieldsOf(controller, issue, users).map((field) => (
        <SelectField key={field.label} {...field} />
      ))}
      <fieldset className="label-choice">
        <legend>Labels</legend>
        {labels.map((label) => (
          <label key={label.id} className="label" data-color={label.color}>
            <input
              type="checkbox"
              checked={hasLabel(issue, label)}
              onChange={() => toggleLabel(controller, issue, label)}
            />
            {label.name}
          </label>
        ))}
      </fieldset>
    </>
  )
}

function SelectField({ label, value, options, choose }: IssueField) {
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  )
}
