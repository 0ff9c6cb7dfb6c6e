// AddressSearch.tsx
import { useDebounce, useLast } from '@selfsame/react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { todoResource } from '../api.js'

export function AddressSearch() {
  const [params, setParams] = useSearchParams()
  const address = params.get('title') ?? ''
  const [text, setText] = useState(address)
  const { value: title } = useDebounce(text, 300)
  // The last address that was written or followed here.
  const known = useRef(address)

  useEffect(() => {
    if (title !== text || title === known.current) return
    // The user has stopped typing: the address follows the field.
    known.current = title
    setParams(title === '' ? {} : { title }, { replace: true })
  }, [title, text, setParams])

  useEffect(() => {
    if (address === known.current) return
    // "Back", or a link: the field follows. This effect has to be the second.
    known.current = address
    setText(address)
  }, [address])

  const { data = [] } = useLast(todoResource.getList, { title: address })
  return (
    <>
      <input
        aria-label="Search"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <ul>
        {data.map((todo) => (
          <li key={todo.id}>{todo.title}</li>
        ))}
      </ul>
    </>
  )
}
