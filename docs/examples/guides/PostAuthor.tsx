// PostAuthor.tsx
import { useDLE } from '@selfsame/react'
import { authorResource, postResource } from './posts.js'

export function PostAuthor({ id }: { id: number }) {
  const { data: post } = useDLE(postResource.get, { id })
  const { data: author } = useDLE(
    authorResource.get,
    post ? { id: post.authorId } : null,
  )
  return <p>{author?.name ?? 'Loading…'}</p>
}
