import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

interface HeadingProps {
  readonly children: string
  /** Of the document. @default the heading and the name of the application */
  readonly title?: string
}

/** Names a screen. After a navigation it has the focus, so that screen readers begin here. */
export function Heading({ children, title = `${children} · Journal` }: HeadingProps) {
  const element = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  const [isFirst] = useState(key === 'default')
  useEffect(() => {
    if (!isFirst) element.current?.focus({ preventScroll: true })
  }, [isFirst])
  return (
    <>
      <title>{title}</title>
      <h1 ref={element} tabIndex={-1}>
        {children}
      </h1>
    </>
  )
}
