import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { User } from '@selfsame/demo-shared'
import { flashOnChange } from '../page/flash.js'
import { RenameForm } from './RenameForm.js'

export function AuthorName({ author }: { readonly author: User }) {
  const [isRenaming, setIsRenaming] = useState(false)
  const shown = useRef<HTMLElement>(null)
  const renameButton = useRef<HTMLButtonElement>(null)
  useEffect(() => flashOnChange(shown.current, author.name), [author.name])

  function stopRenaming() {
    flushSync(() => setIsRenaming(false))
    renameButton.current?.focus()
  }

  if (isRenaming) return <RenameForm author={author} onEnd={stopRenaming} />
  return (
    <p className="author">
      by <strong ref={shown}>{author.name}</strong>
      <button type="button" className="button quiet" ref={renameButton} onClick={() => setIsRenaming(true)}>
        Rename
      </button>
    </p>
  )
}
