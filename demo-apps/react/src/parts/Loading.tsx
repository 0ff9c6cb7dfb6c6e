import type { ReactNode } from 'react'

/** Takes the space of the content that is loading. */
export function Loading({
  children,
  className = '',
}: {
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <div role="status" aria-label="Loading" className={`skeleton ${className}`}>
      {children}
    </div>
  )
}

export function LoadingRows({ count = 12 }: { readonly count?: number }) {
  return (
    <Loading className="list">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="row">
          <span className="skeleton-line" />
        </div>
      ))}
    </Loading>
  )
}

export function LoadingBlock() {
  return (
    <Loading>
      <span className="skeleton-block" />
    </Loading>
  )
}

export function LoadingArticle() {
  return (
    <Loading className="article">
      <span className="skeleton-title" />
      <span className="skeleton-line" />
      <span className="skeleton-block" />
    </Loading>
  )
}
