import { useState } from 'react'
import type { FormEvent } from 'react'
import { useController, useLoading } from '@selfsame/react'
import type { User } from '@selfsame/demo-shared'
import { userResource } from '../api.js'
import { saved } from '../page/offline-view.js'
import { Problem } from './Problem.js'

interface RenameFormProps {
  readonly author: User
  /** Called when the name is saved, or editing is cancelled. */
  readonly onEnd: () => void
}

export function RenameForm({ author, onEnd }: RenameFormProps) {
  const controller = useController()
  const [name, setName] = useState(author.name)
  const {
    run: save,
    loading: isSaving,
    error,
  } = useLoading(async () => {
    await saved(controller.fetch(userResource.partialUpdate, { id: author.id }, { name }))
    onEnd()
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isSaving) void save()
  }

  return (
    <form onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onEnd()}>
      <div className="author">
        <input
          aria-label="Name of the author"
          required
          maxLength={100}
          autoFocus
          onFocus={(event) => event.target.select()}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button className="button primary" aria-disabled={isSaving}>
          Save
        </button>
        <button type="button" className="button" onClick={onEnd}>
          Cancel
        </button>
      </div>
      {error && (
        <div className="form-error" role="alert">
          <Problem error={error} />
        </div>
      )}
    </form>
  )
}
