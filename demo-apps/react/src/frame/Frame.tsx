import { issueResource } from '@selfsame/demo-shared/application'
import { useSubscription } from '@selfsame/react'
import { useLayoutEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { Dialogs } from '../tracker/Dialogs.js'
import { Banner } from './Banner.js'
import { Footer } from './Footer.js'
import { Notice } from './Notice.js'
import { OfflineNotice } from './OfflineNotice.js'

/** The frame around every screen. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation()
  // Changes of others are shown on every screen.
  useSubscription(issueResource.getList)
  return (
    <div className="page">
      <a className="visually-hidden" href="#content">
        Skip to content
      </a>
      <ScrollToTop key={pathname} />
      <Banner />
      <OfflineNotice />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <Dialogs />
      <Notice />
    </div>
  )
}

/** Scrolls a new screen to its top; Back and Forward restore the position. */
function ScrollToTop() {
  const navigation = useNavigationType()
  const [isBack] = useState(navigation === 'POP')
  useLayoutEffect(() => {
    if (!isBack) scrollTo(0, 0)
  }, [isBack])
  return null
}
