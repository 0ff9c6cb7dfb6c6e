import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { useController } from '@selfsame/react'
import type { User } from '@selfsame/demo-shared'
import { userResource } from '../api.js'
import { messageOf } from '../articles.js'
import { flashOnChange } from '../page/flash.js'

export function AuthorName({ author: { id, name } }: { readonly author: User }) {
  const controller = useController()
  const [newName, setNewName] = useState<string>()
  const [failure, setFailure] = useState('')
  const shown = useRef<HTMLElement>(null)
  useEffect(() => flashOnChange(shown.current, name), [name])

  function stop() {
    setNewName(undefined)
    setFailure('')
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    try {
      await controller.fetch(userResource.partialUpdate, { id }, { name: newName ?? name })
      stop()
    } catch (error) {
      setFailure(messageOf(error))
    }
  }

  if (newName === undefined) {
    return (
      <p className="author">
        by <strong ref={shown}>{name}</strong>
        <button type="button" className="button quiet" onClick={() => setNewName(name)}>
          Rename
        </button>
      </p>
    )
  }
  return (
    <form onSubmit={save} onKeyDown={(event) => event.key === 'Escape' && stop()}>
      <div className="author">
        <input
          aria-label="Name of the author"
          required
          maxLength={100}
          autoFocus
          value={newName}
          onChange={(event) => setNewName(event.target.value)}
        />
        <button className="button primary">Save</button>
        <button type="button" className="button" onClick={stop}>
          Cancel
        </button>
      </div>
      {failure && (
        <p className="form-error" role="alert">
          {failure}
        </p>
      )}
    </form>
  )
}
