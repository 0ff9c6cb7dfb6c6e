import { useState } from 'react'
import { AuthorSelect } from './AuthorSelect.js'
import { firstLineOf } from './Failure.js'
import { FieldsForm } from './FieldsForm.js'
import type { Fields } from './library.js'
import { useLibrary } from './library-context.js'

interface NewArticleFormProps {
  /** Called with the id of the new article; `undefined` if it was not created. */
  readonly onEnd: (id: number | undefined) => void
}

export function NewArticleForm({ onEnd }: NewArticleFormProps) {
  const { run, isPending, error } = useLibrary().useCreate()
  const [author, setAuthor] = useState<number>()
  const save = (fields: Fields) => {
    run({ ...fields, author: author ?? null }).then(
      (article) => onEnd(article?.id),
      // The hook returns the error, which is on screen.
      () => {},
    )
  }
  return (
    <FieldsForm
      fields={{ title: '', content: '' }}
      isSaving={isPending}
      onSave={save}
      onCancel={() => onEnd(undefined)}
    >
      <AuthorSelect label="Author" none="Nobody" value={author} onChange={setAuthor} />
      {error && <p role="alert">Not saved. {firstLineOf(error)}</p>}
    </FieldsForm>
  )
}
