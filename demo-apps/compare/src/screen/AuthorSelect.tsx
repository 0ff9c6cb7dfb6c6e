import { useLibrary } from './library-context.js'

interface AuthorSelectProps {
  readonly label: string
  /** The label of the option for no author. */
  readonly none: string
  readonly value: number | undefined
  readonly onChange: (author: number | undefined) => void
}

export function AuthorSelect({ label, none, value, onChange }: AuthorSelectProps) {
  const authors = useLibrary().useAuthors()
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
    >
      <option value="">{none}</option>
      {authors.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
