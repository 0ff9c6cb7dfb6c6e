import { getLabels, issueOrders, issueStates, userResource } from '@selfsame/demo-shared/application'
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
  const { data: users = [] } = useDLE(userResource.getList)
  const { data: labels = [] } = useDLE(getLabels)
  const [, setParams] = useSearchParams()
  const set = (name: string, value: string) => setParams((params) => withParam(params, name, value))
  return (
    <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
      <SearchField text={filter.q ?? ''} />
      {order !== undefined && (
        <Select label="State" value={filter.state} onChange={(value) => set('state', value)}>
          <option value="">Any state</option>
          {issueStates.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Select label="Assignee" value={filter.assignee} onChange={(value) => set('assignee', value)}>
        <option value="">Anyone</option>
        <option value="none">Nobody</option>
        {users.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select label="Label" value={filter.label} onChange={(value) => set('label', value)}>
        <option value="">Any label</option>
        {labels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {order !== undefined && (
        <Select label="Order" value={order} onChange={(value) => set('order', value)}>
          {issueOrders.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
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

interface SelectProps {
  readonly label: string
  readonly value: string | number | undefined
  readonly onChange: (value: string) => void
  readonly children: React.ReactNode
}

function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <select
      aria-label={label}
      className={value === undefined || value === '' ? undefined : 'chosen'}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </select>
  )
}

function withParam(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(params)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}
