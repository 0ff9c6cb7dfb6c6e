import { announce } from '@selfsame/demo-shared/application'
import { useController, useLoading } from '@selfsame/react'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { Problem } from '../parts/Problem.js'
import { articleHooks } from '../resources.js'

export function DeleteArticle({ id }: { readonly id: number }) {
  const controller = useController()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const endpoint = articleHooks.useDelete()
  const {
    run: remove,
    loading: isDeleting,
    error,
  } = useLoading(async () => {
    await controller.fetch(endpoint, { id })
    await navigate('/articles')
    announce('Deleted.')
  })
  return (
    <>
      <button type="button" className="button danger" onClick={() => dialog.current?.showModal()}>
        Delete
      </button>
      <dialog ref={dialog} aria-labelledby="delete-title">
        <h2 id="delete-title">Delete this article?</h2>
        <p>Its comments will be deleted too.</p>
        {error !== undefined && <Problem error={error} />}
        <div className="actions">
          <button
            type="button"
            className="button danger"
            aria-disabled={isDeleting}
            onClick={() => isDeleting || void remove()}
          >
            {isDeleting ? 'Deleting…' : 'Delete'}
          </button>
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  )
}
