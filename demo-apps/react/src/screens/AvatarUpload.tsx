import { useController, useLoading, useProgress } from '@selfsame/react'
import { useRef, useState } from 'react'
import { Problem } from '../parts/Problem.js'
import { SubmitButton } from '../parts/SubmitButton.js'
import { avatarHooks } from '../resources.js'

/** Uploads a picture. The response is the record that all readers show, so none of them refetches. */
export function AvatarUpload({ id }: { readonly id: number }) {
  const controller = useController()
  const endpoint = avatarHooks.useUpload()
  const progress = useProgress(endpoint, { id })
  const [file, setFile] = useState<File>()
  const [isDone, setIsDone] = useState(false)
  const abort = useRef<AbortController>(undefined)
  const {
    run: upload,
    loading: isUploading,
    error,
  } = useLoading(async () => {
    if (file === undefined) return
    setIsDone(false)
    const { signal } = (abort.current = new AbortController())
    await controller.fetch(endpoint.extend({ signal }), { id }, file)
    setIsDone(true)
  })
  const submit = (event: React.SubmitEvent) => {
    event.preventDefault()
    void upload()
  }
  return (
    <form className="form" aria-label="Change the picture" onSubmit={submit}>
      <label className="field">
        Choose a picture
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          onChange={({ target }) => setFile(target.files?.[0])}
        />
      </label>
      {isUploading && (
        <progress aria-label="Upload" value={progress?.loaded ?? 0} max={progress?.total ?? 1} />
      )}
      {error !== undefined && error.name !== 'AbortError' && <Problem error={error} />}
      <div className="actions">
        <SubmitButton sending="Uploading…" isSending={isUploading} isUnready={file === undefined}>
          Upload
        </SubmitButton>
        {isUploading && (
          <button type="button" className="button" onClick={() => abort.current?.abort()}>
            Cancel
          </button>
        )}
      </div>
      <p role="status" className="notice">
        {isDone ? 'Your picture was updated.' : ''}
      </p>
    </form>
  )
}
