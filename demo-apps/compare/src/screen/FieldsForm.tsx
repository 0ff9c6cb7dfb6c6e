import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Fields } from './library.js'

interface FieldsFormProps {
  readonly fields: Fields
  readonly isSaving?: boolean
  readonly onSave: (fields: Fields) => void
  readonly onCancel: () => void
  readonly children?: ReactNode
}

export function FieldsForm({ fields, isSaving = false, onSave, onCancel, children }: FieldsFormProps) {
  const [title, setTitle] = useState(fields.title)
  const [content, setContent] = useState(fields.content)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ title, content })
      }}
    >
      <label className="field">
        Title
        <input
          required
          autoFocus
          maxLength={200}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </label>
      <label className="field">
        Text
        <textarea rows={5} value={content} onChange={({ target }) => setContent(target.value)} />
      </label>
      {children}
      <div className="actions">
        <button className="button primary" disabled={isSaving}>
          Save
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
