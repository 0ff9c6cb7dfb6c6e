import { getLabels, selectsOf, userResource } from '@selfsame/demo-shared/application'
import type { IssueFilter, IssueOrder } from '@selfsame/demo-shared/application'
import { useDLE, useDebounce } from '@selfsame/react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

interface IssueFiltersProps {
  readonly filter: IssueFilter
  /** If given, states and orders can be chosen, too. */
  readonly order?: IssueOrder
}

/** Writes the filter to the address, where the screen reads it. */
export function IssueFilters({ filter, order }: IssueFiltersProps) {
  const { data: users } = useDLE(userResource.getList)
  const { data: labels } = useDLE(getLabels)
  const [, setParams] = useSearchParams()
  return (
    <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
      <SearchField text={filter.q ?? ''} />
      {selectsOf(filter, order, users, labels).map(({ param, label, value, options }) => (
        <select
          key={param}
          aria-label={label}
          className={value === '' ? undefined : 'chosen'}
          value={value}
          onChange={({ target }) => setParams((params) => withParam(params, param, target.value))}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      ))}
    </form>
  )
}

/** The text goes to the address when the user pauses. Back and links change it, too. */
function SearchField({ text: inAddress }: { readonly text: string }) {
  const [, setParams] = useSearchParams()
  const [text, setText] = useState(inAddress)
  const [known, setKnown] = useState(inAddress)
  const { value: settled } = useDebounce(text, 250)
  if (inAddress !== known) {
    setKnown(inAddress)
    setText(inAddress)
  }
  useEffect(() => {
    // What the address has just brought is not settled yet.
    if (settled !== text || settled === inAddress) return
    setParams((params) => withParam(params, 'q', settled), { replace: true })
  }, [settled, text, inAddress, setParams])
  return (
    <input
      type="search"
      aria-label="Search issues"
      placeholder="Search issues"
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  )
}

function withParam(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(params)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}
