import { userResource } from '@selfsame/demo-shared/application'
import { useDLE } from '@selfsame/react'

interface AuthorSelectProps {
  readonly label: string
  /** The label of the option for no author. */
  readonly none: string
  readonly value: number | undefined
  readonly onChange: (id: number | undefined) => void
}

/** A select of users. It works before the users have loaded. */
export function AuthorSelect({ label, none, value, onChange }: AuthorSelectProps) {
  const { data = [] } = useDLE(userResource.getList)
  const users = data.toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <label className="field">
      {label}
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="">{none}</option>
        {users.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
