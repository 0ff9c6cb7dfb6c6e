import type { InfiniteList } from '@selfsame/react'
import { useEffect, useRef } from 'react'
import { Problem } from './Problem.js'

/** The end of a list that loads its next page when it comes into view. */
export function EndOfList<Data>({
  list,
  length,
}: {
  readonly list: InfiniteList<Data>
  readonly length: number
}) {
  const { error, hasNext, fetchNext } = list
  if (error !== undefined) return <Problem error={error} reset={() => void fetchNext()} />
  // A new element for each page, because an IntersectionObserver reports only changes.
  return hasNext ? <Sentinel key={length} onView={fetchNext} /> : <p className="end">That is all.</p>
}

function Sentinel({ onView }: { readonly onView: () => Promise<void> }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (line.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting) void onView()
      },
      { rootMargin: '200px' },
    )
    observer.observe(line.current)
    return () => observer.disconnect()
  }, [onView])
  return (
    <p ref={line} className="end">
      Loading more…
    </p>
  )
}
