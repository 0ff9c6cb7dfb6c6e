import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

interface HeadingProps {
  readonly children: string
  /** The title of the document. @default the heading and the name of the application */
  readonly title?: string
}

/** The heading of a screen. Gets the focus after a navigation, so that screen readers start here. */
export function Heading({ children, title }: HeadingProps) {
  const element = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  const [isFirst] = useState(key === 'default')
  useEffect(() => {
    if (!isFirst) element.current?.focus({ preventScroll: true })
  }, [isFirst])
  return (
    <>
      <title>{title ?? `${children} · Tracker`}</title>
      <h1 ref={element} tabIndex={-1}>
        {children}
      </h1>
    </>
  )
}
